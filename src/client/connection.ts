import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'

/** A way to one deployment: requests go in, answers of any status come out. */
export interface Connection {
  /** What to call the deployment in a message: an address, or a directory. */
  readonly name: string
  /** Resolves with every answer that arrived whole, and rejects with a `NetworkError` for the rest. */
  send(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** A request before it has an address and a token. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** What it is for: ingest may have an address of its own, and a change must not be sent twice. */
  readonly purpose: 'ingest' | 'query' | 'manage'
  readonly signal?: AbortSignal
}

/** What came back for a request, whatever its status. */
export interface HttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: ChunkedBuffer
  /** Where it came from, as it may be shown: without credentials and without the query. */
  readonly url: string
  /** Where the token of the request came from, as it may be shown. */
  readonly credential?: string
}
