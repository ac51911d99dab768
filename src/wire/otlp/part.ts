import { binarySize } from '../../text/binary-size.js'
import { formatInteger } from '../../text/integer.js'
import { ProtobufReader } from '../bytes/protobuf-reader.js'
import { OTLP_PART_BYTES, OTLP_PART_VALUES } from '../limits.js'

/** A request that is refused as a whole, because it is malformed or too large. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError'
  readonly reason: 'malformed' | 'too-large'

  constructor(message: string, reason: OtlpError['reason'] = 'malformed') {
    super(message)
    this.reason = reason
  }
}

export function partTooLarge(): OtlpError {
  return new OtlpError(
    `a record or a resource is larger than ${binarySize(OTLP_PART_BYTES)}`,
    'too-large',
  )
}

export function tooManyValues(limit = OTLP_PART_VALUES): OtlpError {
  return new OtlpError(
    `a record or a resource has more than ${formatInteger(limit)} values`,
    'too-large',
  )
}

/** Reads an export request, whose records and resources have limits. */
export class PartReader extends ProtobufReader {
  private values = 0

  /** Begins a record or a resource, the value of the current field, like `enter`. Throws when it exceeds the limit. */
  enterPart(): number {
    const outer = this.enter()
    if (this.end - this.at > OTLP_PART_BYTES) throw partTooLarge()
    this.values = 0
    return outer
  }

  /** Counts a value, an event or a link of the part. Throws when the part has too many. */
  countValue(): void {
    this.values += 1
    if (this.values > OTLP_PART_VALUES) throw tooManyValues()
  }
}
