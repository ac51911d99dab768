import { analyze } from '../../apl/analyze.js'
import type { CheckedQuery } from '../../apl/check/checked.js'
import type { Environment } from '../../apl/environment.js'
import { type CompiledQuery, compile, type TimeRange } from '../../sql/compile.js'
import { datasetsOf } from '../../sql/datasets.js'
import type { AplRequest } from '../../wire/http/query.js'
import { readJson } from '../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../http.js'
import { jsonText } from '../json-response.js'
import type { Call, Service } from '../route.js'
import { decodeAplRequest } from './apl-request.js'
import { uncompilable } from './compile-error.js'
import { inDefaultOrder } from './default-order.js'
import { type Paging, refuseCursors, requestPaging } from './paging.js'
import { requestRange } from './request-range.js'
import { requestResolution } from './resolution.js'
import { type RowLimit, rowLimit } from './row-limit.js'
import { run } from './run.js'
import { type Tabular, tabularJson } from './tabular.js'

/** The longest body of a query: the longest text in its longest form, every character escaped, with room. */
export const BODY_BYTES = 2 * 1024 * 1024

/** `POST /v1/datasets/_apl?format=tabular`: compiles a query, runs it and answers with its rows. */
export async function tabularQuery({ request }: Call, service: Service): Promise<ServiceResponse> {
  const answer = await answered(await readAplRequest(request), { service, signal: request.signal })
  return jsonText(200, tabularJson(answer))
}

/** Runs a query, from its request to all that an answer tells about it. */
export async function answered(
  asked: AplRequest,
  { service, signal }: { readonly service: Service; readonly signal: AbortSignal },
): Promise<Tabular> {
  const started = process.hrtime.bigint()
  const ready = prepared(asked, service)
  const found = await run(ready.compiled, { ...ready, service, signal })
  const elapsed = (process.hrtime.bigint() - started) / 1_000n
  const layout = (dataset: string) => service.store.layout(dataset)
  return { ...found, ...ready, layout, elapsed: Number(elapsed) }
}

/** The body of a request that asks about a query. */
export async function readAplRequest(request: ServiceRequest): Promise<AplRequest> {
  return decodeAplRequest(await readJson(request, BODY_BYTES))
}

/** A query that is ready to run, and what it was asked with. */
export interface Prepared {
  readonly checked: CheckedQuery
  readonly compiled: CompiledQuery
  /** The datasets that it reads. */
  readonly datasets: readonly string[]
  readonly range: TimeRange
  readonly limit: RowLimit
  readonly paging: Paging
  /** Whether the result may be one of an earlier query, while it is the same. */
  readonly mayBeCached: boolean
  /** The instant of the request, nanoseconds since 1970. */
  readonly now: bigint
}

/** Compiles the query of a request, or refuses it. */
export function prepared(asked: AplRequest, service: Service): Prepared {
  const now = service.now()
  const range = requestRange(asked, now)
  const checked = checkedQuery(asked, { schema: service.store.schema, now, range })
  const limit = rowLimit({
    query: checked,
    requested: asked.defaultLimit === undefined ? undefined : Number(asked.defaultLimit),
    most: service.limits.rows,
  })
  const paging = requestPaging(asked)
  const compiled = compileQuery(checked, { service, range, limit, paging })
  refuseCursors(compiled, paging)
  const datasets = datasetsOf(checked)
  const mayBeCached = asked.queryOptions?.disableCache !== true
  return { checked, compiled, datasets, range, limit, paging, mayBeCached, now }
}

function checkedQuery(
  { apl, variables, defaultOrder, queryOptions = {} }: AplRequest,
  given: Pick<Environment, 'schema' | 'now' | 'range'>,
): CheckedQuery {
  const { maxDataPoints } = queryOptions
  const resolution = requestResolution(queryOptions.resolution)
  const analyzed = analyze(apl, {
    ...given,
    ...(variables && { variables }),
    ...(maxDataPoints === undefined ? {} : { maxDataPoints: Number(maxDataPoints) }),
    ...(resolution === undefined ? {} : { resolution }),
  })
  if ('problems' in analyzed) throw uncompilable(apl, analyzed.problems)
  return inDefaultOrder(analyzed.query, defaultOrder)
}

/** Compiles a checked query to what answers a request. */
export function compileQuery(
  query: CheckedQuery,
  options: { readonly service: Service } & Pick<Prepared, 'range' | 'limit' | 'paging'>,
): CompiledQuery {
  const { store } = options.service
  const { from } = options.paging
  return compile(query, {
    range: options.range,
    // One more than is given out tells whether there is more.
    limit: BigInt(options.limit.rows) + 1n,
    cursors: { ...(from && { from }) },
    layout(dataset) {
      const layout = store.layout(dataset)
      if (layout === undefined) throw new Error(`no layout of the dataset ${dataset}`)
      return layout
    },
  })
}
