import type { StarredAction } from '../../wire/http/starred.js'

/** What a token allows. */
export interface Grant {
  /** The token's name, for people. */
  readonly name: string
  /** A personal token allows everything. */
  readonly personal: boolean
  /** The datasets that it may ingest into, `*` for every one there is or will be. */
  readonly ingest?: readonly string[]
  /** The datasets that it may query, in the same way. */
  readonly query?: readonly string[]
  /** What it may do with saved queries; none of these implies another. */
  readonly starred?: readonly StarredAction[]
  /** The organization that the header of a request may name. */
  readonly organization?: string
  /** When it ends, as an RFC 3339 time. */
  readonly expires?: string
}

/** Who may use the service. */
export interface Access {
  /** What a token of this service allows, expired or not; undefined for any other text. */
  grantOf(token: string): Promise<Grant | undefined>
}

/** The file system let the caller reach the data directory's socket: the data is theirs. */
export const OWNER: Grant = { name: 'owner', personal: true }

/** The sender of a request that needs no token. */
export const NOBODY: Grant = { name: 'nobody', personal: false }

/** Whether it allows to store events in a dataset. */
export function mayIngest(grant: Grant, dataset: string): boolean {
  return grant.personal || covers(grant.ingest, dataset)
}

/** True when there is any dataset that it may ingest into. */
export function mayIngestAny({ personal, ingest = [] }: Grant): boolean {
  return personal || ingest.length > 0
}

/** Whether it allows to query a dataset. */
export function mayQuery(grant: Grant, dataset: string): boolean {
  return grant.personal || covers(grant.query, dataset)
}

/** Whether there is any dataset that it may query. */
export function mayQueryAny({ personal, query = [] }: Grant): boolean {
  return personal || query.length > 0
}

/** Whether it allows to do this with saved queries. */
export function mayStarred(grant: Grant, action: StarredAction): boolean {
  return grant.personal || (grant.starred ?? []).includes(action)
}

/** Whether its time is over at an instant, in nanoseconds since 1970. */
export function isExpired({ expires }: Pick<Grant, 'expires'>, now: bigint): boolean {
  return expires !== undefined && BigInt(Date.parse(expires)) * 1_000_000n <= now
}

function covers(datasets: readonly string[] = [], dataset: string): boolean {
  return datasets.includes('*') || datasets.includes(dataset)
}
