/** A request that is refused as a whole, because it is malformed or too large. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError'
  readonly reason: 'malformed' | 'too-large'

  constructor(message: string, reason: OtlpError['reason'] = 'malformed') {
    super(message)
    this.reason = reason
  }
}
