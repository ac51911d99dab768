// Messages that differ only in numbers and ids, as one pattern each.
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { aplField } from './apl-text.js'
import { type HeldRows, heldColumns } from './row.js'

/** Times from the first one on, up to but not including the second one, in nanoseconds since 1970. */
export type Span = readonly [from: bigint, to: bigint]

/** Returns the field whose values have patterns. */
export function patternField(rows: HeldRows): string | undefined {
  const names = heldColumns(rows).map(({ name }) => name)
  return MESSAGE_FIELDS.find((name) => names.includes(name))
}

/** The share of all events below which patterns are combined by their common words. */
export const RARE = 0.001

/** Returns the operator that lists the patterns of a field, the most frequent first. */
export function patternsOf(field: string): string {
  return `reduce by ${aplField(field)} with threshold=${RARE}`
}

/**
 * Returns the operators that count the patterns of a field in two spans of time, those first whose numbers differ most from what the
 * lengths of the spans lead to expect.
 */
export function patternChanges(field: string, before: Span, after: Span): string {
  const ratio = Number(after[1] - after[0]) / Number(before[1] - before[0])
  return [
    `where ${during(before)} or ${during(after)}`,
    `reduce kind=source by ${aplField(field)} with threshold=0`,
    `summarize before = countif(${during(before)}), after = countif(${during(after)}) by pattern`,
    `extend expected = round(before * ${ratio.toPrecision(4)}, 1)`,
    'sort by (after - expected) * (after - expected) / (after + expected + 1) desc',
    'project after, expected, before, pattern',
  ].join(' | ')
}

function during([from, to]: Span): string {
  return `(_time >= ${instant(from)} and _time < ${instant(to)})`
}

function instant(time: bigint): string {
  return `datetime(${formatTimestamp(time)})`
}
