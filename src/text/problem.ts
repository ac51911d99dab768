import type { Span } from './span.js'

/** A problem with a query, as data: worded in `apl/problem/`, rendered by the client. */
export interface Problem {
  /** A stable kebab-case code, listed in the README. */
  readonly code: string
  /** One sentence, in APL's terms. */
  readonly message: string
  readonly span: Span
  /** A few words under the caret. */
  readonly label?: string
  /** A hint that shows what would work. */
  readonly help?: string
  /** The name or the pattern that fits no dataset. Not part of responses. */
  readonly missingDataset?: string
}
