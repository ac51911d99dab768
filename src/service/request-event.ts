/** A request that was handled, for logs and metrics. Contains no token, body or query. */
export interface RequestEvent {
  readonly id: string
  readonly method: string
  /** The pattern of the path, such as `/v1/ingest/:dataset`; undefined when no route matches. */
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
  /** The size of the body as received, possibly compressed. */
  readonly receivedBytes: number
  readonly sentBytes: number
  /** The name of the token. */
  readonly caller: string | undefined
}
