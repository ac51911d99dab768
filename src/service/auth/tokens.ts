import { hash, randomBytes } from 'node:crypto'
import { memoized } from '../../text/memoized.js'
import { type Access, type Grant, isExpired } from './grant.js'
import type { TokenRecord, TokenRecords } from './token-record.js'

/** The public part of a token record. */
type TokenEntry = Omit<TokenRecord, 'sha256'>

export interface Tokens extends Access {
  list(): Promise<readonly TokenEntry[]>
  /** Returns the number of tokens that have not expired. */
  countInForce(): Promise<number>
  /** Creates a token and returns it; only its hash is stored. Returns undefined when a token of that name is in force. */
  create(grant: Grant): Promise<string | undefined>
  /** Revokes the tokens with an id or a name, and returns them. */
  revoke(nameOrId: string): Promise<readonly TokenEntry[]>
}

/** Manages tokens in the given storage; `now` returns nanoseconds since 1970. */
export function openTokens(records: TokenRecords, now: () => bigint): Tokens {
  return {
    async grantOf(token) {
      const sha256 = hash('sha256', token, 'hex')
      const isKnown = bySha256(await records.read('ever')).has(sha256)
      // A known token may have been revoked; an unknown one may be newer than the cached records.
      return bySha256(await records.read(isKnown ? 'lately' : 'now')).get(sha256)
    },
    list: async () => (await records.read('now')).map(shown),
    async countInForce() {
      const all = await records.read('now')
      return all.filter((record) => !isExpired(record, now())).length
    },
    async create(grant) {
      const token = `${grant.personal ? 'xapt' : 'xaat'}-${randomBytes(24).toString('base64url')}`
      const sha256 = hash('sha256', token, 'hex')
      let isMade = false
      await records.change((all) => {
        const same = all.filter(({ name }) => name === grant.name)
        if (same.some((record) => !isExpired(record, now()))) return {}
        isMade = true
        const id = randomBytes(6).toString('hex')
        const created = new Date(Number(now() / 1_000_000n)).toISOString()
        return { add: [{ id, created, ...grant, sha256 }], remove: same.map((one) => one.id) }
      })
      return isMade ? token : undefined
    },
    async revoke(nameOrId) {
      let ended = called(nameOrId, await records.read('now'))
      if (ended.length === 0) return []
      await records.change((all) => {
        ended = called(nameOrId, all)
        return { remove: ended.map(({ id }) => id) }
      })
      return ended.map(shown)
    },
    async renameDataset(from, to) {
      let renamed: readonly TokenRecord[] = []
      await records.change((all) => {
        renamed = all.filter(({ ingest = [], query = [] }) => [...ingest, ...query].includes(from))
        return {
          add: renamed.map((record) => withRenamed(record, from, to)),
          remove: renamed.map(({ id }) => id),
        }
      })
      return renamed.length
    },
  }
}

function withRenamed(record: TokenRecord, from: string, to: string): TokenRecord {
  const { ingest, query } = record
  const names = (datasets: readonly string[]): readonly string[] => [
    ...new Set(datasets.map((name) => (name === from ? to : name))),
  ]
  return { ...record, ingest: ingest && names(ingest), query: query && names(query) }
}

/**
 * Returns the records by their hashes. The time of a lookup may reveal a prefix of a hash, but not of a token: without breaking
 * SHA-256, tokens cannot be chosen by their hashes, and a token has 192 random bits.
 */
const bySha256 = memoized(
  (records: readonly TokenRecord[]): ReadonlyMap<string, TokenRecord> =>
    new Map(records.map((record) => [record.sha256, record])),
)

function called(nameOrId: string, records: readonly TokenRecord[]): readonly TokenRecord[] {
  const byId = records.filter(({ id }) => id === nameOrId)
  return byId.length > 0 ? byId : records.filter(({ name }) => name === nameOrId)
}

function shown({ sha256: _, ...entry }: TokenRecord): TokenEntry {
  return entry
}
