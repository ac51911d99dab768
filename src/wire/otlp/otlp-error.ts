/** A request that is refused as a whole: malformed, or with events that are larger together than the limit. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError'
  readonly reason: 'malformed' | 'too-large'

  constructor(message: string, reason: OtlpError['reason'] = 'malformed') {
    super(message)
    this.reason = reason
  }
}

/** The maximum length of a record, a resource or an unknown part: each is decoded without a pause. */
export const MAX_PART_BYTES = 8 * 1024 * 1024

/** The error of a part of a request that exceeds the limit. */
export function partTooLarge(): OtlpError {
  return new OtlpError('a record or a resource is larger than 8 MiB', 'too-large')
}
