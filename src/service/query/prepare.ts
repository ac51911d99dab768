import { analyze } from '../../apl/analyze.js'
import type { CheckedQuery } from '../../apl/check/checked.js'
import type { Environment, TimeRange } from '../../apl/environment.js'
import type { Damage } from '../../engine/maintenance/damage.js'
import { type CompileOptions, compile } from '../../sql/compile.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import { datasetsOf } from '../../sql/datasets.js'
import type { Layout } from '../../sql/layout.js'
import type { Problem } from '../../text/problem.js'
import { matchesWildcard } from '../../text/wildcard.js'
import type { NativeReals } from '../../wire/http/native-result.js'
import type { AplRequest } from '../../wire/http/query.js'
import { EXACT_RESULT } from '../../wire/http/tabular-result.js'
import { damageText } from '../dataset/damage.js'
import { unknownDataset } from '../dataset/unknown-dataset.js'
import type { Service } from '../route.js'
import { compileError } from './compile-error.js'
import { inDefaultOrder } from './default-order.js'
import { type Paging, refuseCursors, requestPaging } from './paging.js'
import { requestRange, requestResolution } from './request-range.js'
import { type RowLimit, rowLimit } from './row-limit.js'
import { type ScanPage, scanPage } from './scan-page.js'

/** Facts about the events of datasets for which a query can be compiled. */
export type AboutEvents = Pick<CompileOptions, 'isWithinRange' | 'dividesSearches'>

export interface PreparedQuery {
  readonly checked: CheckedQuery
  readonly compiled: CompiledQuery
  /** Compiles the query again for the events of its datasets; absent for a page of a scan. */
  readonly adapted?: ((events: AboutEvents) => CompiledQuery) | undefined
  readonly datasets: readonly string[]
  /** The layouts for all statements of the query: a dataset may be deleted between two of them. */
  readonly layouts: Layouts
  readonly range: TimeRange
  readonly limit: RowLimit
  readonly paging: Paging
  /** True when the response has the media type `EXACT_RESULT`: timespans are integers, and totals are not needed. */
  readonly isExact: boolean
  /** Set for a page that may be part of a scan. */
  readonly scan?: ScanPage | undefined
  readonly mayBeCached: boolean
  /** The instant of the request, nanoseconds since 1970. */
  readonly now: bigint
}

type Layouts = (dataset: string) => Layout

/** Compiles the query of a request, which may have an `Accept` header. Throws a `RefusedError` when it is invalid. */
export function prepareQuery(
  request: AplRequest,
  service: Service,
  accept?: string,
): PreparedQuery {
  const now = service.now()
  const range = requestRange(request, now)
  const { inputs } = service
  const { schema, damage } = service.store
  const checked = checkedQuery(request, { schema, now, range, inputs }, damage)
  const paging = requestPaging(request, accept)
  const layouts = keptLayouts(service)
  const hasStatistics = request.queryOptions?.disableStats !== true
  const limited = (limit: RowLimit) =>
    limitedQuery(checked, { layouts, range, paging, limit, hasStatistics })
  const query = limited(
    rowLimit({
      query: checked,
      requested: request.defaultLimit === undefined ? undefined : Number(request.defaultLimit),
      most: service.limits.rows,
    }),
  )
  return {
    checked,
    ...(isUnbounded(query, paging) ? limited(FIRST_PAGE) : query),
    datasets: datasetsOf(checked),
    layouts,
    range,
    paging,
    isExact: accept?.includes(EXACT_RESULT) === true,
    mayBeCached: request.queryOptions?.disableCache !== true,
    now,
  }
}

type LimitedQuery = Pick<PreparedQuery, 'compiled' | 'adapted' | 'scan' | 'limit'>

function limitedQuery(
  checked: CheckedQuery,
  options: Pick<PreparedQuery, 'layouts' | 'range' | 'paging' | 'limit'> & {
    readonly hasStatistics: boolean
  },
): LimitedQuery {
  const { layouts, range, paging, limit, hasStatistics } = options
  const compiledFor = (events: AboutEvents) => {
    const compiled = compileQuery(checked, { layouts, range, limit, paging, ...events })
    return hasStatistics ? compiled : withoutCount(compiled)
  }
  const compiled = compiledFor({})
  refuseCursors(compiled, paging)
  const scan = scanPage({ checked, compiled, limit, paging }, (query, options) =>
    compileQuery(query, { layouts, range, ...options }),
  )
  if (scan === undefined) return { compiled, adapted: compiledFor, limit }
  // The number of rows of a page that may be short implies nothing.
  return { compiled: { ...compiled, matchedCount: undefined }, scan, limit }
}

/** The limit of a first page whose length nothing else limits. */
const FIRST_PAGE: RowLimit = { rows: 1_000, setBy: 'request' }

/** True for a first page that may be short, and that is not part of a scan, whose pages are limited in length. */
function isUnbounded(
  { compiled, scan, limit }: LimitedQuery,
  { mayBeShort, from }: Paging,
): boolean {
  const isFirst = from === undefined && compiled.eventOrder !== undefined
  return mayBeShort && isFirst && scan === undefined && limit.rows > FIRST_PAGE.rows
}

/** Returns the query without the statements for statistics alone: the number of rows stands for the number of matching events. */
function withoutCount(compiled: CompiledQuery): CompiledQuery {
  const { matched, ...rest } = compiled
  const { matchedCount, isUnfiltered } = compiled
  const isImplied = isUnfiltered || (matchedCount !== undefined && matchedCount.kind !== 'rows')
  return isImplied ? compiled : rest
}

function checkedQuery(
  { apl, variables, defaultOrder, queryOptions = {} }: AplRequest,
  given: Pick<Environment, 'schema' | 'now' | 'range' | 'inputs'>,
  damage: readonly Damage[],
): CheckedQuery {
  const { maxDataPoints } = queryOptions
  const resolution = requestResolution(queryOptions.resolution)
  const analyzed = analyze(apl, {
    ...given,
    variables,
    maxDataPoints: maxDataPoints === undefined ? undefined : Number(maxDataPoints),
    resolution,
  })
  if ('problems' in analyzed) {
    throw compileError(
      apl,
      analyzed.problems.map((problem) => withDamage(problem, damage)),
    )
  }
  return inDefaultOrder(analyzed.query, defaultOrder)
}

/** A dataset that is lost as a whole is unknown to the checks: its damage is the problem. */
function withDamage(
  { missingDataset: name, ...problem }: Problem,
  damage: readonly Damage[],
): Problem {
  const lost = damage.find(({ dataset }) => name && dataset && matchesWildcard(dataset, name))
  if (lost === undefined) return problem
  const { code, span } = problem
  return { code, span, message: damageText(lost), label: 'damaged' }
}

export function compileQuery(
  query: CheckedQuery,
  options: {
    readonly limit?: RowLimit
    readonly native?: NativeReals | undefined
  } & AboutEvents &
    Pick<PreparedQuery, 'layouts' | 'range' | 'paging'>,
): CompiledQuery {
  const { layouts, range, native, isWithinRange, dividesSearches } = options
  const { from, isBackward } = options.paging
  return compile(query, {
    range,
    // One row more than is returned, to find out whether there are more rows.
    limit: options.limit && BigInt(options.limit.rows) + 1n,
    cursors: { from, isBackward },
    native,
    isWithinRange,
    dividesSearches,
    layout: layouts,
  })
}

/** Returns the layouts of datasets, each as it is when it is needed first. Throws a `RefusedError` for a deleted dataset. */
export function keptLayouts({ store }: Service): Layouts {
  const kept = new Map<string, Layout>()
  return (dataset) => {
    const layout = kept.get(dataset) ?? store.layout(dataset)
    if (layout === undefined) throw unknownDataset(dataset)
    kept.set(dataset, layout)
    return layout
  }
}
