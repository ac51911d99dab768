import type { Span } from './span.js'

/** Something wrong in a query, as data: found anywhere, worded in `apl/problem/`, drawn at the edge. */
export interface Problem {
  /** A stable kebab-case word, listed in the README. */
  readonly code: string
  /** One sentence that says what is wrong, in APL's words. */
  readonly message: string
  readonly span: Span
  /** A few words under the caret. */
  readonly label?: string
  /** What would work. */
  readonly help?: string
}
