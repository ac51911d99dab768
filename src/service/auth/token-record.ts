import { STARRED_ACTIONS } from '../../wire/http/starred.js'
import { isJsonObject } from '../../wire/json/json-object.js'
import type { Grant } from './access.js'

/** What is kept of a token. Its text is not: whoever reads a record can't use the token. */
export interface TokenRecord extends Grant {
  readonly id: string
  /** An RFC 3339 time. */
  readonly created?: string
  /** The hash of its text, in hexadecimal. */
  readonly sha256: string
}

/** Where the records of tokens are kept; several processes may use the same place. */
export interface TokenRecords {
  /** All of them: as they were a moment ago, which is cheap, or as they are now. */
  read(when: 'lately' | 'now'): Promise<readonly TokenRecord[]>
  /** Changes them in one step; whoever reads `now` afterwards sees the change. */
  change(work: (records: readonly TokenRecord[]) => TokenChange): Promise<void>
}

/** What becomes of the records. */
interface TokenChange {
  readonly add?: TokenRecord
  /** By id. */
  readonly remove?: readonly string[]
}

/** Whether a value that was read is a record of a token, with nothing of it damaged. */
export function isTokenRecord(value: unknown): value is TokenRecord {
  return (
    isJsonObject(value) &&
    ['id', 'name'].every((key) => typeof value[key] === 'string') &&
    typeof value.personal === 'boolean' &&
    /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
    ['ingest', 'query', 'starred'].every((key) => isListOrNone(value[key])) &&
    isListOrNone(value.starred, STARRED_ACTIONS) &&
    ['organization', 'created'].every((key) => isTextOrNone(value[key])) &&
    // An end that can't be read must not make a token endless.
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

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isTimeOrNone(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))
}
