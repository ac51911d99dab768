/** A stretch of a query's text: offsets in UTF-16 units from 0, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The stretch from the beginning of one span to the end of another. */
export function joinSpans(first: Span, last: Span): Span {
  return { start: first.start, end: last.end }
}
