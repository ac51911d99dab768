/** A lease that is not renewed for this long has expired: others may acquire it. */
export const LEASE_SECONDS = 150

/** A lease, and the holder that has it or requests it. Each request has a holder of its own. */
export interface LeaseRow {
  readonly name: string
  readonly holder: string
}

export function holdersOf(leases: readonly LeaseRow[]): ReadonlySet<string> {
  return new Set(leases.map(({ holder }) => holder))
}

/** The leases of all services on the same data. */
export interface LeaseTable {
  /** Creates the table unless it exists. */
  create(): Promise<void>
  /** Requests leases with different names and releases others; resolves with the holders whose requests succeeded. */
  exchange(
    requests: readonly LeaseRow[],
    released: readonly LeaseRow[],
  ): Promise<ReadonlySet<string>>
  /** Renews leases; resolves with the holders that still have their lease. */
  renew(leases: readonly LeaseRow[]): Promise<ReadonlySet<string>>
  /** Releases the leases of all holders whose names have a prefix. */
  releaseAll(prefix: string): Promise<void>
}
