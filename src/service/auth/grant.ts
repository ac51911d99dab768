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

/**
 * True when the grant allows ingest into or queries of a dataset, or an action on saved queries; without a name, when it allows
 * any.
 */
export function may(
  grant: Grant,
  permission: 'ingest' | 'query' | 'starred',
  name?: string,
): boolean {
  const { personal, [permission]: names = [] } = grant
  return personal || names.some((one) => name === undefined || one === '*' || one === name)
}

/** True when the token has expired at `now`, in nanoseconds since 1970. */
export function isExpired({ expires }: Pick<Grant, 'expires'>, now: bigint): boolean {
  return expires !== undefined && BigInt(Date.parse(expires)) * 1_000_000n <= now
}
