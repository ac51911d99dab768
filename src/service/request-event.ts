/** A request that was answered, for logs and counts: nothing of its token, its body or its query. */
export interface RequestEvent {
  readonly id: string
  readonly method: string
  /** The pattern of its path: `/v1/ingest/:dataset`; undefined where there is no such route. */
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
  /** Of the body, as it came. */
  readonly receivedBytes: number
  readonly sentBytes: number
  /** The name of the token. */
  readonly caller: string | undefined
}
