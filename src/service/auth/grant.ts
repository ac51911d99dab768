import type { StarredAction } from '../../wire/http/starred.js'

export interface Grant {
  readonly name: string
  /** A personal token has all permissions. */
  readonly personal: boolean
  /** The datasets that the token may ingest into; `*` matches all, including future ones. */
  readonly ingest?: readonly string[]
  /** The datasets that the token may query; `*` matches all, including future ones. */
  readonly query?: readonly string[]
  /** The permitted actions on saved queries; no action implies another. */
  readonly starred?: readonly StarredAction[]
  /** The organization that the request header may name. */
  readonly organization?: string
  /** The expiry, as an RFC 3339 time. */
  readonly expires?: string
}

export interface Access {
  /** Returns the permissions of a token, even if it has expired; undefined for an unknown token. */
  grantOf(token: string): Promise<Grant | undefined>
  /** Gives the tokens that name a dataset the same permissions under its new name; resolves with their number. */
  renameDataset(from: string, to: string): Promise<number>
}

/** The grant of callers on the data directory's socket, which only its owner can reach. */
export const OWNER: Grant = { name: 'owner', personal: true }

export const NOBODY: Grant = { name: 'nobody', personal: false }

/** The organization of tokens that name no organization. */
const ORGANIZATION = 'evq'

export function organizationOf({ organization = ORGANIZATION }: Grant): string {
  return organization
}

export function mayIngest(grant: Grant, dataset: string): boolean {
  return grant.personal || covers(grant.ingest, dataset)
}

export function mayIngestAny({ personal, ingest = [] }: Grant): boolean {
  return personal || ingest.length > 0
}

export function mayQuery(grant: Grant, dataset: string): boolean {
  return grant.personal || covers(grant.query, dataset)
}

export function mayQueryAny({ personal, query = [] }: Grant): boolean {
  return personal || query.length > 0
}

export function mayStarred(grant: Grant, action: StarredAction): boolean {
  return grant.personal || (grant.starred ?? []).includes(action)
}

/** True when the token has expired at `now`, in nanoseconds since 1970. */
export function isExpired({ expires }: Pick<Grant, 'expires'>, now: bigint): boolean {
  return expires !== undefined && BigInt(Date.parse(expires)) * 1_000_000n <= now
}

function covers(datasets: readonly string[] = [], dataset: string): boolean {
  return datasets.includes('*') || datasets.includes(dataset)
}
