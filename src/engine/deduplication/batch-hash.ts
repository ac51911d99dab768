import { createHash } from 'node:crypto'
import { list, type Sql, sql } from '../../sql/sql.js'
import { stringsIn } from '../clickhouse/response.js'
import type { EngineResult } from '../engine.js'

// A mark is stored in two columns of 64 bits. Earlier versions stored the low half only: what they stored has 0 as its
// high half, which no new mark has.

const HALF = 64n
const LOW = (1n << HALF) - 1n

/** Returns the number of 128 bits that marks the rows of a batch; 0 for one without an id. */
export function batchHash(batchId: string | undefined): bigint {
  if (batchId === undefined) return 0n
  const hash = createHash('sha256').update(batchId).digest()
  const low = hash.readBigUInt64BE(0) || 1n
  const high = hash.readBigUInt64BE(8) || 1n
  return (high << HALF) | low
}

/** The half that all versions store. */
export function lowHalf(hash: bigint): bigint {
  return hash & LOW
}

export function highHalf(hash: bigint): bigint {
  return hash >> HALF
}

/** The low halves of marks, to select candidates by. */
export function lowHalvesSql(hashes: readonly bigint[]): Sql {
  return list(hashes.map((hash) => sql`toUInt64(${lowHalf(hash)})`))
}

/** Returns the values of a column by the marks in the columns `low` and `high` of the same answer, all of them text. */
export function byHash(result: EngineResult, column: string): ReadonlyMap<bigint, string> {
  const values = stringsIn(result, column)
  const highs = stringsIn(result, 'high')
  const lows = stringsIn(result, 'low')
  return new Map(
    lows.map((low, i) => [(BigInt(highs[i] ?? 0) << HALF) | BigInt(low), values[i] ?? '']),
  )
}

/** Returns what was found for a mark, or for its low half alone. */
export function valueFor<Value>(
  found: ReadonlyMap<bigint, Value>,
  hash: bigint,
): Value | undefined {
  return found.get(hash) ?? found.get(lowHalf(hash))
}
