/** A body that can't be used: a member has the wrong type, or is missing or not one of the allowed values (`invalid-field`). */
export class RequestError extends Error {
  readonly reason: 'invalid-request' | 'invalid-field'

  constructor(reason: RequestError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export function wrongType(name: string, wanted: string): RequestError {
  return new RequestError('invalid-request', `${name} must be ${wanted}.`)
}

/** The refusal of a request without a required member; `what` describes the member. */
export function missing(name: string, what: string): RequestError {
  return new RequestError('invalid-field', `The request has no \`${name}\`, ${what}.`)
}
