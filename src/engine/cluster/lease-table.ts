/** A lease that is not renewed for this long has expired: others may acquire it. */
export const LEASE_SECONDS = 150

/** A lease and a request for it, which has a holder of its own. */
export interface LeaseRow {
  readonly name: string
  readonly holder: string
}

/** Leases to acquire, and leases to release. */
export interface LeaseExchange {
  readonly requests: readonly LeaseRow[]
  readonly released: readonly LeaseRow[]
}

/** The leases of all services on the same data. */
export interface LeaseTable {
  /** Requests leases with different names and releases others; resolves with the holders that have theirs. */
  exchange(exchange: LeaseExchange): Promise<ReadonlySet<string>>
  /** Resolves with the holders that still have their leases, which are renewed. */
  renew(leases: readonly LeaseRow[]): Promise<ReadonlySet<string>>
  /** Releases the leases of all holders whose names have a prefix. */
  releaseAll(prefix: string): Promise<void>
}
