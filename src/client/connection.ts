import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'

/** A connection to a deployment. */
export interface Connection {
  /** The name of the deployment in messages: an address or a directory. */
  readonly name: string
  /**
   * Resolves with the complete response, whatever its status. Rejects with a `NetworkError` when there is no response, and with a
   * `MalformedResponseError` when the response is too long.
   */
  send(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** A request, without address and token. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** The purpose of the request, since ingest may have its own address. */
  readonly purpose: 'ingest' | 'query' | 'manage'
  readonly signal?: AbortSignal
}

/** The response to a request, whatever its status. */
export interface HttpResponse {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: ChunkedBuffer
  /** The URL for messages, without credentials and query string. */
  readonly url: string
  /** The origin of the token that the request carried, for messages. */
  readonly credential?: string
  /** Set when the request was repeated after the connection was lost: the first request may have been carried out. */
  readonly isRepeated?: true
}
