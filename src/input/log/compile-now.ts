import { memoizedText } from '../../text/memoized.js'

/** A text of such a length that V8 compiles an expression at the first match. */
const LONG_TEXT = '\0'.repeat(1000)

/**
 * Returns a regular expression, compiled to machine code; all inputs of a run share it. V8 interprets an expression at the first
 * match, unless the text is long. For an expression with many alternatives, preparing that takes three times as long as compiling.
 */
export function compileNow(source: string, flags = ''): RegExp {
  return compilerWith(flags)(source)
}

const compilerWith = memoizedText((flags) =>
  memoizedText((source) => {
    const expression = new RegExp(source, flags)
    expression.test(LONG_TEXT)
    expression.lastIndex = 0
    return expression
  }),
)
