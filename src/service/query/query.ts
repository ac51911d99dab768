import { hasCode } from '../../engine/engine.js'
import { defined } from '../../text/defined.js'
import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { NATIVE_RESULT } from '../../wire/http/native-result.js'
import type { AplRequest } from '../../wire/http/query.js'
import { decodeAplRequest } from '../../wire/http/query.js'
import { EXACT_RESULT } from '../../wire/http/tabular-result.js'
import { QUERY_BODY_BYTES } from '../../wire/limits.js'
import { readJson } from '../body/json-body.js'
import { damageOf } from '../dataset/damage.js'
import { jsonText, type ServiceRequest, type ServiceResponse } from '../http.js'
import { invalidRequest } from '../refused-error.js'
import type { Handler, Service } from '../route.js'
import { watchFields } from './field-watch.js'
import { type PreparedQuery, prepareQuery } from './prepare.js'
import { type RunResult, run } from './run.js'
import { nativeResult, pageOf, type Tabular, tabularJson } from './tabular.js'
import { totalsTable } from './totals.js'

/** `POST /v1/datasets/_apl?format=tabular`: compiles and runs a query, and returns its rows. */
export const tabularResponse: Handler = async ({ request }, service) => {
  const executed = await executeQuery(await readAplRequest(request), request, service)
  const { native } = executed.result
  if (native === undefined) {
    const page = pageOf(executed)
    const totals = executed.isExact
      ? undefined
      : await totalsTable(page, { service, signal: request.signal })
    return resultResponse(tabularJson(page, totals), executed)
  }
  const headers = { 'content-type': NATIVE_RESULT }
  return { status: 200, headers, body: nativeResult({ ...executed, native }) }
}

export function resultResponse(
  body: Buffer | ChunkedBuffer,
  { isExact }: Pick<Tabular, 'isExact'>,
): ServiceResponse {
  if (!isExact) return jsonText(200, body)
  return { status: 200, headers: { 'content-type': EXACT_RESULT }, body }
}

/** Runs the query of a request and returns everything that a response needs. */
export async function executeQuery(
  aplRequest: AplRequest,
  { signal, headers }: Pick<ServiceRequest, 'signal' | 'headers'>,
  service: Service,
): Promise<Tabular> {
  const startedAt = process.hrtime.bigint()
  const { store } = service
  const prepare = () => prepareQuery(aplRequest, service, headers.accept)
  const found = await runWithCurrentFields(prepare, { service, signal })
  // Read after the query, which may have discovered damage.
  const damage = damageOf(found, store.damage)
  const layout = (dataset: string) => store.layout(dataset)
  return { ...found, layout, damage, startedAt }
}

/** The most runs of a query: its datasets may get new fields, or be deleted and created again, all the time. */
const MOST_RUNS = 10

/** Runs a query, and runs it again when fields that its result has or should have changed meanwhile. */
async function runWithCurrentFields(
  prepare: () => PreparedQuery,
  options: { readonly service: Service; readonly signal: AbortSignal },
): Promise<PreparedQuery & RunResult> {
  const attempt = async (
    ready: PreparedQuery,
    runs: number,
    deadline?: number,
  ): Promise<PreparedQuery & RunResult> => {
    const { store } = options.service
    const layouts = ready.datasets.map((name) => store.layout(name))
    const fieldChange = watchFields(ready.datasets, store)
    const found = await run(ready.compiled, { ...ready, ...options, deadline }).catch(
      async (error: unknown) => {
        if (!hasCode(error, 'UNKNOWN_TABLE')) throw error
        // Another service may have deleted or renamed the dataset. It may exist again.
        await store.refresh()
        const isSame = ready.datasets.every((name, i) => store.layout(name) === layouts[i])
        if (isSame || runs >= MOST_RUNS) throw error
        return undefined
      },
    )
    // Without a wildcard, a query of a dataset that was deleted or renamed is refused now.
    if (found === undefined) return await attempt(prepare(), runs + 1, deadline)
    const change = await fieldChange()
    if (change === 'none') return { ...ready, ...found }
    const now = prepare()
    const lacksFields = now.checked.source.columns.length > ready.checked.source.columns.length
    const isCurrent = change !== 'replaced' && !(lacksFields && runs < MOST_RUNS)
    return isCurrent ? { ...ready, ...found } : await attempt(now, runs + 1, found.deadline)
  }
  return await attempt(prepare(), 1)
}

/** Reads and decodes the body of a query request. An empty body is refused with 422, like a body without a query. */
export async function readAplRequest(request: ServiceRequest): Promise<AplRequest> {
  const decoded = decodeAplRequest(await readJson(request, QUERY_BODY_BYTES, { ifEmpty: {} }))
  return { ...decoded, ...parametersOf(request, decoded) }
}

/** Returns the members of a query request that an SDK of the hosted service sends in the URL. */
function parametersOf({ query }: ServiceRequest, decoded: AplRequest): Partial<AplRequest> {
  const cursor = query.get('cursor') || undefined
  if (cursor !== undefined && (decoded.cursor || cursor) !== cursor) {
    throw invalidRequest('The URL and the body have different cursors. Send one of them.')
  }
  const { queryOptions } = decoded
  const isUncached = query.get('nocache') === 'true'
  return defined({
    cursor,
    queryOptions: isUncached ? { ...queryOptions, disableCache: true } : undefined,
  })
}
