/** A request that is refused as a whole: malformed, or with events that are larger together than the limit. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError'
  readonly reason: 'malformed' | 'too-large'

  constructor(message: string, reason: OtlpError['reason'] = 'malformed') {
    super(message)
    this.reason = reason
  }
}
