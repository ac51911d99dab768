import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'

/** A request as the service's routes see it; where it came from, a socket or a test, is someone else's file. */
export interface ServiceRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Buffer>
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
  /** True on the data directory's own socket, where the file system's permissions are the key. */
  readonly trusted: boolean
  /** Where the caller is, as far as the socket tells. */
  readonly remoteAddress?: string
  /** True where the address that the service listens at is one that no other machine reaches. */
  readonly onLoopback?: boolean
}

/** The answer to a request; its length and the connection are the listener's. */
export interface ServiceResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer | ChunkedBuffer
}

/** The service is a function; listening is `listen.ts`. */
export type App = (request: ServiceRequest) => Promise<ServiceResponse>
