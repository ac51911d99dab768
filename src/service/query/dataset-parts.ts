import type { ReadLimits } from '../../engine/engine.js'
import type { TimeRange } from '../../sql/compile-context.js'
import { identifier, joined, sql } from '../../sql/sql.js'
import type { StatisticsReader } from './statistics-cache.js'

/** The times of the first and the last event within the range of a query; undefined when there is none. */
export type Extent = { readonly first: bigint; readonly last: bigint } | undefined

/** A part of a dataset's table: the events of an insert, or of several that were merged. */
export interface Part {
  readonly events: number
  readonly first: bigint
  readonly last: bigint
}

/** Reads the parts of datasets from metadata, without reading events. In a cluster, parts of the same name are one. */
export async function datasetParts(options: {
  readonly store: StatisticsReader
  readonly datasets: readonly string[]
  readonly limits: ReadLimits
}): Promise<readonly Part[]> {
  const { store, limits } = options
  const tables = options.datasets.flatMap((dataset) => store.layout(dataset)?.table ?? [])
  if (tables.length === 0) return []
  const each = tables.map(
    (table) => sql`
    select count() as events, toUnixTimestamp64Nano(min(_time)) as first, toUnixTimestamp64Nano(max(_time)) as last
    from ${identifier(table)} group by _part`,
  )
  const { columns } = await store.read(joined(each, ' union all '), limits)
  const [events = [], first = [], last = []] = ['events', 'first', 'last'].map(
    (name) =>
      // The times are too large for JSON.parse.
      (columns.get(name) ?? '').match(/-?\d+/g) ?? [],
  )
  return events.map((count, i) => ({
    events: Number(count),
    first: BigInt(first[i]!),
    last: BigInt(last[i]!),
  }))
}

/** Returns the parts that may contain events within a range. */
export function partsWithin(parts: readonly Part[], { start, end }: TimeRange): readonly Part[] {
  return parts.filter(
    ({ first, last }) =>
      (start === undefined || last >= start) && (end === undefined || first < end),
  )
}

/** Returns the number of events within a range; undefined when a part has events inside and outside. */
export function eventsWithin(parts: readonly Part[], range: TimeRange): number | undefined {
  const inside = partsWithin(parts, range)
  const { start, end } = range
  const isWhole = inside.every(
    ({ first, last }) =>
      (start === undefined || first >= start) && (end === undefined || last < end),
  )
  return isWhole ? eventsIn(inside) : undefined
}

/** Returns the number of events in parts. */
export function eventsIn(parts: readonly Part[]): number {
  return parts.reduce((sum, { events }) => sum + events, 0)
}

/** Returns the times of the events in parts, limited to a range. */
export function extentOf(parts: readonly Part[], { start, end }: TimeRange): Extent {
  const [earliest] = parts
  if (earliest === undefined) return undefined
  let { first, last } = earliest
  for (const part of parts) {
    if (part.first < first) first = part.first
    if (part.last > last) last = part.last
  }
  if (start !== undefined && start > first) first = start
  if (end !== undefined && end <= last) last = end - 1n
  return first > last ? undefined : { first, last }
}
