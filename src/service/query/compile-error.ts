import type { Problem } from '../../text/problem.js'
import { RefusedError } from '../refused-error.js'

/**
 * The refusal of a query that does not compile. The first problem also stands in `detail`, where
 * hosted services have it. A query whose only fault is a dataset that is not there is another matter.
 */
export function compileError(apl: string, problems: readonly Problem[]): RefusedError {
  const first = problems[0]
  if (first === undefined) return new RefusedError('invalid-query', 'The query does not compile.')
  const isMissing = problems.every(({ code }) => code === 'unknown-dataset')
  // The names that there are stand in the help; whoever reads nothing but the message needs them too.
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

/** Words that stand behind a problem, as a sentence of their own. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Where an offset lies, counted from 1, the column in characters. */
function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: [...before.slice(lineStart)].length + 1,
  }
}
