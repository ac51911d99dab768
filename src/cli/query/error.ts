import { ApiError } from '../../client/error.js'
import type { Problem } from '../../text/problem.js'

/** A query that the deployment rejected. `apl` is the text to which the spans of its problems refer. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly apl: string
  readonly refusal: ApiError
  readonly problems: readonly Problem[]

  constructor(apl: string, refusal: ApiError) {
    super(refusal.message, { cause: refusal })
    this.apl = apl
    this.refusal = refusal
    this.problems = problemsIn(apl, refusal)
  }
}

/** Returns the problems in an error response, or a problem made from its line and column when it lists no problems. */
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

/** Converts a line and a column, both from 1, to an offset; returns `undefined` when they are outside of the text. */
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

/** Wraps an `ApiError` in a `QueryError`; returns any other error unchanged. */
export function queryError(apl: string, error: unknown): unknown {
  return error instanceof ApiError ? new QueryError(apl, error) : error
}
