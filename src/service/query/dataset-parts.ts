import type { TimeRange } from '../../apl/environment.js'
import type { Part } from '../../engine/dataset-parts.js'

/** The times of the first and the last event within the range of a query; undefined without events. */
export type Extent = { readonly first: bigint; readonly last: bigint } | undefined

/** Returns the parts that may contain events within a range. */
export function partsWithin(parts: readonly Part[], { start, end }: TimeRange): readonly Part[] {
  return parts.filter(
    ({ first, last }) =>
      (start === undefined || last >= start) && (end === undefined || first < end),
  )
}

/** Returns the number of events within a range; undefined when a part has events inside and outside of the range. */
export function eventsWithin(parts: readonly Part[], range: TimeRange): number | undefined {
  const inside = partsWithin(parts, range)
  return areWithin(inside, range) ? eventsIn(inside) : undefined
}

export function areWithin(parts: readonly Part[], { start, end }: TimeRange): boolean {
  return parts.every(
    ({ first, last }) =>
      (start === undefined || first >= start) && (end === undefined || last < end),
  )
}

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
