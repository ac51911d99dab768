import { Option } from 'commander'
import { compilePattern } from '../../input/log/pattern/compile-pattern.js'
import { PatternError } from '../../input/log/pattern/line-pattern.js'
import { ProblemsError } from '../error/problems-error.js'
import { collect } from './option.js'

/** `--parse <pattern>`, any number of times. */
export function parseOption(description: string): Option {
  return new Option('--parse <pattern>', description).argParser(
    (pattern: string, before: readonly string[] | undefined) => {
      checkPattern(pattern)
      return collect(pattern, before)
    },
  )
}

/** Throws a `ProblemsError` with the position of the problem when a pattern cannot be compiled. */
function checkPattern(pattern: string): void {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const { message, at, end, help } = error
    const span = { start: at, end }
    const problem = { code: 'bad-pattern', message, span, help }
    throw new ProblemsError(pattern, [problem])
  }
}
