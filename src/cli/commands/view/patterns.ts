// Combines messages that differ only in numbers and ids into patterns.
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { aplField } from './apl-text.js'
import { type HeldRows, heldColumns } from './row.js'

/** The start of a span of time, and its end, which is excluded, in nanoseconds since 1970. */
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
 * Returns the operators that count the patterns of a field in two spans of time. Patterns come first whose counts differ most from
 * the counts to expect from the lengths of the spans.
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
