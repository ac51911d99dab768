import { AGGREGATES } from '../apl/aggregates.js'
import { BINARY_OPERATORS, MEMBERSHIP_OPERATORS } from '../apl/ast.js'
import { FUNCTION_ALIASES, FUNCTIONS } from '../apl/functions.js'
import { OPERATOR_WORDS } from '../apl/words.js'

/** The words of APL by where they may stand in a query. */
export interface AplWords {
  /** At its beginning, beside the names of datasets. */
  readonly beginnings: readonly string[]
  /** Behind a pipe. */
  readonly operators: readonly string[]
  /** Before a parenthesis. */
  readonly calls: readonly string[]
  /** Between values. */
  readonly between: readonly string[]
}

/** The words that this version knows. */
export const APL_WORDS: AplWords = {
  beginnings: ['datatable', 'declare', 'let', 'print', 'search', 'union'],
  operators: OPERATOR_WORDS,
  calls: [
    ...new Set([
      ...Object.keys(FUNCTIONS),
      ...Object.keys(FUNCTION_ALIASES),
      ...Object.keys(AGGREGATES),
    ]),
  ],
  between: [
    ...[...BINARY_OPERATORS, ...MEMBERSHIP_OPERATORS].filter((word) => /^[a-z]/.test(word)),
    ...['between', 'matches regex', 'not', 'by', 'on', 'with', 'asc', 'desc'],
  ],
}
