import { createHash, randomBytes } from 'node:crypto'
import { type Access, type Grant, isExpired } from './access.js'
import type { TokenRecord, TokenRecords } from './token-record.js'

/** A token as it may be shown. */
type TokenEntry = Omit<TokenRecord, 'sha256'>

/** The tokens of a service. */
export interface Tokens extends Access {
  list(): Promise<readonly TokenEntry[]>
  /** How many of them can be used. */
  countInForce(): Promise<number>
  /** Makes a token and returns its text, which is not kept; undefined when one in force has its name. */
  create(grant: Grant): Promise<string | undefined>
  /** Ends the token of an id, or those of a name, and returns them. */
  revoke(nameOrId: string): Promise<readonly TokenEntry[]>
}

/** The tokens that records speak of; `now` is in nanoseconds since 1970. */
export function openTokens(records: TokenRecords, now: () => bigint): Tokens {
  const find = finder()
  return {
    async grantOf(token) {
      const sha256 = hash(token)
      const known = find(sha256, await records.read('lately'))
      // It may be newer than what was read lately.
      return known ?? find(sha256, await records.read('now'))
    },
    list: async () => (await records.read('now')).map(shown),
    async countInForce() {
      const all = await records.read('now')
      return all.filter((record) => !isExpired(record, now())).length
    },
    async create(grant) {
      const token = `${grant.personal ? 'xapt' : 'xaat'}-${randomBytes(24).toString('base64url')}`
      const sha256 = hash(token)
      let isMade = false
      await records.change((all) => {
        const same = all.filter(({ name }) => name === grant.name)
        if (same.some((record) => !isExpired(record, now()))) return {}
        isMade = true
        const id = randomBytes(6).toString('hex')
        const created = new Date(Number(now() / 1_000_000n)).toISOString()
        return { add: { id, created, ...grant, sha256 }, remove: same.map((one) => one.id) }
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
  }
}

/**
 * Returns a function that finds the record of a token by its hash. The time that a lookup takes may tell how much of a hash
 * is right, but not how much of a token: without SHA-256 being broken nobody can choose tokens by their hashes, and a
 * token has 192 random bits.
 */
function finder(): (sha256: string, records: readonly TokenRecord[]) => TokenRecord | undefined {
  let indexed: readonly TokenRecord[] | undefined
  let bySha256: ReadonlyMap<string, TokenRecord> = new Map()
  return (sha256, records) => {
    if (records !== indexed) {
      indexed = records
      bySha256 = new Map(records.map((record) => [record.sha256, record]))
    }
    return bySha256.get(sha256)
  }
}

function called(nameOrId: string, records: readonly TokenRecord[]): readonly TokenRecord[] {
  const byId = records.filter(({ id }) => id === nameOrId)
  return byId.length > 0 ? byId : records.filter(({ name }) => name === nameOrId)
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function shown({ sha256: _, ...entry }: TokenRecord): TokenEntry {
  return entry
}
