/** A range of a query's text: offsets in UTF-16 code units from 0; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the span from the start of one span to the end of another. */
export function joinSpans(first: Span, last: Span): Span {
  return { start: first.start, end: last.end }
}
