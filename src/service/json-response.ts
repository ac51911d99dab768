import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import type { ServiceResponse } from './http.js'

/** An answer whose body is the JSON text of a value. */
export function json(status: number, value: unknown): ServiceResponse {
  return jsonText(status, exactJsonText(value))
}

/** An answer whose body is JSON text already. */
export function jsonText(status: number, body: string | Buffer | ChunkedBuffer): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json' }, body }
}
