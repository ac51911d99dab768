import { STARRED_ACTIONS } from '../../wire/http/starred.js'
import { isJsonObject } from '../../wire/json/json-object.js'
import type { Grant } from './grant.js'

/** The stored record of a token. It contains a hash instead of the token, so that reading it grants no access. */
export interface TokenRecord extends Grant {
  readonly id: string
  /** An RFC 3339 time. */
  readonly created?: string
  /** The hash of the token, in hexadecimal. */
  readonly sha256: string
}

/** Storage for token records; can be shared by several processes. */
export interface TokenRecords {
  /** Returns all records: with `now` from the storage, else from a cache, which is at most seconds old with `lately`. */
  read(when: 'ever' | 'lately' | 'now'): Promise<readonly TokenRecord[]>
  /** Changes the records atomically. Later reads with `now` see the change. */
  change(work: (records: readonly TokenRecord[]) => TokenChange): Promise<void>
}

interface TokenChange {
  readonly add?: readonly TokenRecord[]
  /** By id. */
  readonly remove?: readonly string[]
}

export function isTokenRecord(value: unknown): value is TokenRecord {
  return (
    isJsonObject(value) &&
    ['id', 'name'].every((key) => typeof value[key] === 'string') &&
    typeof value.personal === 'boolean' &&
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    ['ingest', 'query', 'starred'].every((key) => isListOrNone(value[key])) &&
    isListOrNone(value.starred, STARRED_ACTIONS) &&
    ['organization', 'created'].every((key) =>
      ['string', 'undefined'].includes(typeof value[key]),
    ) &&
    // An expiry that cannot be parsed must not make a token permanent.
    isTimeOrNone(value.expires)
  )
}

function isListOrNone(value: unknown, words?: readonly string[]): boolean {
  if (value === undefined) return true
  if (!Array.isArray(value)) return false
  return value.every(
    (one) => typeof one === 'string' && (words === undefined || words.includes(one)),
  )
}

function isTimeOrNone(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))
}
