import type { Problem } from '../text/problem.js'
import type { ErrorBody } from '../wire/query.js'
import type { ServiceResponse } from './http.js'

/** An answer whose body is the JSON text of a value. */
export function json(status: number, value: unknown): ServiceResponse {
  return jsonText(status, JSON.stringify(value))
}

/** An answer whose body is JSON text already. */
export function jsonText(status: number, body: string): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** The answer to a query that does not compile. The first problem also stands in `detail`, as hosted services write it. */
export function problemsBody(options: {
  readonly status: number
  readonly apl: string
  readonly problems: readonly Problem[]
}): ErrorBody {
  const { status, apl, problems } = options
  const first = problems[0]
  if (first === undefined) return { code: status, message: 'The query does not compile.' }
  return {
    code: status,
    message: first.message,
    detail: {
      errorType: 'compile',
      compileErrorCode: first.code,
      ...lineAndColumn(apl, first.span.start),
      message: first.message,
    },
    problems,
  }
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
