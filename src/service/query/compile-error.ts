import type { Problem } from '../../text/problem.js'
import { RefusedError } from '../refused-error.js'

/**
 * Returns the refusal of a query that does not compile. The first problem is also in `detail`, as in hosted
 * services. When all problems are unknown datasets, the status is 404 instead of 400.
 */
export function compileError(apl: string, problems: readonly Problem[]): RefusedError {
  const first = problems[0]
  if (first === undefined) return new RefusedError('invalid-query', 'The query does not compile.')
  const isMissing = problems.every(({ code }) => code === 'unknown-dataset')
  // The help lists the known names; clients that show only the message need it too.
  const message =
    isMissing && first.help ? `${first.message} ${sentence(first.help)}` : first.message
  return new RefusedError(isMissing ? 'not-found' : 'invalid-query', message, {
    detail: {
      errorType: 'compile',
      compileErrorCode: first.code,
      ...lineAndColumn(apl, first.span.start),
      message: first.message,
    },
    problems,
  })
}

/** Converts the help of a problem to a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** The position of an offset, counted from 1, with the column in characters. */
function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: [...before.slice(lineStart)].length + 1,
  }
}
