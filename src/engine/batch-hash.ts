import { hash } from 'node:crypto'
import { bytes, list, type Sql, sql } from '../sql/sql.js'
import type { EngineResult } from './engine.js'
import { rowsIn } from './response.js'

const HEX_DIGITS = 32

/** Returns the 128-bit hash of a batch id that is stored with the rows of the batch; 0 without an id. */
export function batchHash(batchId: string | undefined): bigint {
  if (batchId === undefined) return 0n
  const digest = hash('sha256', batchId)
  return BigInt(`0x${digest.slice(0, HEX_DIGITS)}`) || 1n
}

export function hexOf(hash: bigint): string {
  return hash.toString(16).padStart(HEX_DIGITS, '0')
}

/**
 * Returns the bytes of a hash, as they are in columns of the type `FixedString(16)`. The engine reads a list of literals as one value:
 * with a hundred calls of `unhex`, a statement takes twice as much CPU time.
 */
export function hashSql(hash: bigint): Sql {
  return bytes(hexOf(hash))
}

/** Returns a condition for the rows with one of these hashes in a column. */
export function isOneOf(column: Sql, hashes: readonly bigint[]): Sql {
  return sql`${column} IN (${list(hashes.map(hashSql))})`
}

/** Returns the strings of a column, keyed by the hash whose hexadecimal digits are in the column `hash`. */
export function byHash(result: EngineResult, column: string): ReadonlyMap<bigint, string> {
  const rows = rowsIn(result, 'hash', column)
  return new Map(rows.map((row) => [BigInt(`0x${row.hash}`), row[column] ?? '']))
}
