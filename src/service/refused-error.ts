import type { Problem } from '../text/problem.js'

/** Why a request is refused, and the status that says so. */
const STATUS = {
  'invalid-request': 400,
  'invalid-query': 400,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-large': 413,
  'unsupported-media-type': 415,
  'invalid-field': 422,
  'query-limit': 432,
  'disk-full': 507,
} as const

export type Reason = keyof typeof STATUS

/** A request that the service will not carry out, and the sentence that tells its sender why. */
export class RefusedError extends Error {
  readonly reason: Reason
  readonly problems: readonly Problem[]

  constructor(reason: Reason, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.name = 'RefusedError'
    this.reason = reason
    this.problems = problems
  }

  get status(): number {
    return STATUS[this.reason]
  }
}
