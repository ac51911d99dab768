import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import type { ServiceResponse } from './http.js'

/** Returns a response with a value as JSON. */
export function json(status: number, value: unknown): ServiceResponse {
  return jsonText(status, exactJsonText(value))
}

/** Returns a response with JSON text. */
export function jsonText(status: number, body: string | Buffer | ChunkedBuffer): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json' }, body }
}
