// Combines messages that differ only in numbers and ids into patterns.
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { aplField, during, type Span } from './apl-text.js'
import { type HeldRows, heldColumns } from './row.js'

/**
 * Returns the text of events whose values have patterns, as an expression: the field with the message, or the first one that an
 * event has when programs name it differently.
 */
export function patternText(rows: HeldRows): string | undefined {
  const columns = heldColumns(rows)
  const named = MESSAGE_FIELDS.flatMap((name) => columns.find((one) => one.name === name) ?? [])
  const strings = named.filter(({ type }) => type === 'string')
  const [first, ...others] = (strings.length > 0 ? strings : named).map(({ name }) =>
    aplField(name),
  )
  return others.length === 0 ? first : `coalesce(${[first, ...others].join(', ')})`
}

/** The share of all events below which patterns are combined by their common words. */
export const RARE = 0.001

/** Returns the operator that lists the patterns of a text, the most frequent first. */
export function patternsOf(text: string): string {
  return `reduce by ${text} with threshold=${RARE}`
}

/**
 * Returns the operators that count the patterns of a text in two spans of time. Patterns come first whose counts differ most from
 * the counts to expect from the lengths of the spans.
 */
export function patternChanges(text: string, before: Span, after: Span): string {
  const ratio = Number(after[1] - after[0]) / Number(before[1] - before[0])
  return [
    `where (${during(before)}) or (${during(after)})`,
    `reduce kind=source by ${text} with threshold=0`,
    `summarize before = countif(${during(before)}), after = countif(${during(after)}) by pattern`,
    `extend expected = round(before * ${ratio.toPrecision(4)}, 1)`,
    'sort by (after - expected) * (after - expected) / (after + expected + 1) desc',
    'project after, expected, before, pattern',
  ].join(' | ')
}
