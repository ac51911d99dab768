import { ApiError } from '../../../client/error.js'
import type { Problem } from '../../../text/problem.js'

/** A deployment refused a query; carries the text, in which its problems have their places. */
export class QueryError extends Error {
  readonly apl: string
  readonly refusal: ApiError
  readonly problems: readonly Problem[]

  constructor(apl: string, refusal: ApiError) {
    super(refusal.message, { cause: refusal })
    this.name = 'QueryError'
    this.apl = apl
    this.refusal = refusal
    this.problems = problemsIn(apl, refusal)
  }
}

/** Everything that a deployment finds wrong with a query, or the one thing that it gives the place of. */
export function problemsIn(
  apl: string,
  { problems = [], detail = {}, code, message }: ApiError,
): readonly Problem[] {
  const start = offsetOf(apl, detail)
  if (problems.length > 0 || start === undefined) return problems
  const [word = ''] = /^(?:[\p{L}\p{N}_]+|.?)/u.exec(apl.slice(start)) ?? []
  return [
    {
      code: detail.compileErrorCode ?? detail.errorType ?? code,
      message: detail.message ?? message,
      span: { start, end: start + word.length },
    },
  ]
}

/** The place that a line and a column, both from 1, mean in a text; undefined when they are not in it. */
function offsetOf(
  text: string,
  { line, column }: NonNullable<ApiError['detail']>,
): number | undefined {
  if (line === undefined || column === undefined) return undefined
  const lines = text.split('\n')
  const length = lines[line - 1]?.length
  if (length === undefined || column < 1 || column > length + 1) return undefined
  return lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

/** An answer's refusal as one of the query that was asked; any other error is what it was. */
export function queryError(apl: string, error: unknown): unknown {
  return error instanceof ApiError ? new QueryError(apl, error) : error
}
