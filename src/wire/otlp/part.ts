import type { ProtobufReader } from '../bytes/protobuf-reader.js'
import { OtlpError } from './otlp-error.js'

/** The maximum length of a record, a resource or an unknown part: each is decoded without a pause. */
export const MAX_PART_BYTES = 8 * 1024 * 1024

/** The error of a part of a request that exceeds the limit. */
export function partTooLarge(): OtlpError {
  return new OtlpError('a record or a resource is larger than 8 MiB', 'too-large')
}

/** Begins a record or a resource, the value of the reader's current field, like `enter`. Throws when it exceeds the limit. */
export function enterPart(reader: ProtobufReader): number {
  const outer = reader.enter()
  if (reader.end - reader.at > MAX_PART_BYTES) throw partTooLarge()
  return outer
}
