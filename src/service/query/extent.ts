import { numberIn } from '../../engine/clickhouse/response.js'
import type { EngineResult, ReadLimits } from '../../engine/engine.js'
import type { TimeRange } from '../../sql/compile-context.js'
import { identifier, joined, type Sql, sql } from '../../sql/sql.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import type { StatisticsReader } from './statistics-cache.js'

/** The times of the first and the last event within the range of a query; undefined when there is none. */
export type Extent = { readonly first: bigint; readonly last: bigint } | undefined

/** Statistics of the events within the range of a query. */
interface RangeStatistics {
  readonly extent: Extent
  /** The number of events in the datasets. */
  readonly events: number
  /** The result of `counting`. */
  readonly matched?: number
}

/** Computes statistics from the primary keys without reading events, together with the count `counting`, if given. */
export async function rangeStatistics(options: {
  readonly store: StatisticsReader
  readonly datasets: readonly string[]
  readonly range: TimeRange
  readonly counting?: Sql | undefined
  readonly limits: ReadLimits
}): Promise<RangeStatistics> {
  const { store, range, counting, limits } = options
  const tables = options.datasets.flatMap((dataset) => store.layout(dataset)?.table ?? [])
  if (tables.length === 0) return { extent: undefined, events: 0 }
  const each = tables.map(
    (table) => sql`
    select count() as events, min(_time) as first, max(_time) as last
    from ${identifier(table)} having events > 0`,
  )
  const known =
    tables.length === 1
      ? each[0]!
      : sql`
    select sum(of.events) as events, min(of.first) as first, max(of.last) as last
    from (${joined(each, ' union all ')}) as of having events > 0`
  const counted = counting === undefined ? sql`` : sql`, (${counting}) as counted`
  const result = await store.read(sql`select * from (${known}) as known${counted}`, limits)
  const matched = counting === undefined ? {} : { matched: numberIn(result, 'matched') }
  const first = instant(result, 'first')
  const last = instant(result, 'last')
  const extent =
    first === undefined || last === undefined ? undefined : intersection({ first, last }, range)
  return { extent, events: numberIn(result, 'events'), ...matched }
}

function intersection(extent: { first: bigint; last: bigint }, { start, end }: TimeRange): Extent {
  const first = start !== undefined && start > extent.first ? start : extent.first
  const last = end !== undefined && end <= extent.last ? end - 1n : extent.last
  return first > last ? undefined : { first, last }
}

function instant({ columns }: EngineResult, name: string): bigint | undefined {
  const [text] = JSON.parse(columns.get(name) ?? '[]') as readonly string[]
  return text === undefined ? undefined : parseTimestamp(text)
}
