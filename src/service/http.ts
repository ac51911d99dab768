import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { exactJsonText } from '../wire/json/exact-json.js'

/** A request, independent of its transport. */
export interface ServiceRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Buffer>
  /** True when the buffers of the body must not change, because the caller may send them again; otherwise they belong to the service. */
  readonly keepsBody?: boolean
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** True on the data directory's own socket, where file permissions authenticate the caller. */
  readonly trusted: boolean
  /** The caller's address, if the transport has one. */
  readonly remoteAddress?: string
  /** True when the service listens on a loopback address, which other machines cannot reach. */
  readonly onLoopback?: boolean
}

/** A response. The listener sets its length and manages the connection. */
export interface ServiceResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer | ChunkedBuffer
}

/** The service as a function; `listen.ts` serves it over HTTP. */
export type App = (request: ServiceRequest) => Promise<ServiceResponse>

/** Returns the media type of a request's body in lower case, without parameters; empty when the request has no content type. */
export function mediaType({ headers }: Pick<ServiceRequest, 'headers'>): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Returns the UTF-8 text of a header, which Node decodes as Latin-1. */
export function utf8Header(value: string): string {
  return Buffer.from(value, 'latin1').toString()
}

export function plainText(status: number, line: string): ServiceResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${line}\n` }
}

export function json(status: number, value: unknown): ServiceResponse {
  return jsonText(status, exactJsonText(value))
}

export function jsonText(status: number, body: string | Buffer | ChunkedBuffer): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json' }, body }
}
