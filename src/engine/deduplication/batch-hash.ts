import { createHash } from 'node:crypto'
import { list, type Sql, sql } from '../../sql/sql.js'
import { stringsIn } from '../clickhouse/response.js'
import type { EngineResult } from '../engine.js'

// A hash is stored in two columns of 64 bits. Earlier versions stored the low half only: their rows have 0 as the high half,
// which no new hash has.

const HALF = 64n
const LOW = (1n << HALF) - 1n

/** Returns the 128-bit hash of a batch id that is stored with the rows of the batch; 0 without an id. */
export function batchHash(batchId: string | undefined): bigint {
  if (batchId === undefined) return 0n
  const hash = createHash('sha256').update(batchId).digest()
  const low = hash.readBigUInt64BE(0) || 1n
  const high = hash.readBigUInt64BE(8) || 1n
  return (high << HALF) | low
}

/** Returns the half that all versions store. */
export function lowHalf(hash: bigint): bigint {
  return hash & LOW
}

export function highHalf(hash: bigint): bigint {
  return hash >> HALF
}

/** Returns a list of the low halves of hashes, for selecting candidates. */
export function lowHalvesSql(hashes: readonly bigint[]): Sql {
  return list(hashes.map((hash) => sql`toUInt64(${lowHalf(hash)})`))
}

/** Returns a condition for the rows of batches, also those stored by an earlier version. */
export function inBatches(hashes: readonly bigint[]): Sql {
  const pairs = hashes.map((hash) => sql`(toUInt64(${lowHalf(hash)}), toUInt64(${highHalf(hash)}))`)
  // The index is on the low half only.
  const lows = lowHalvesSql(hashes)
  return sql`_batch IN (${lows}) AND (_batchHigh = 0 OR (_batch, _batchHigh) IN (${list(pairs)}))`
}

/** Returns the values of a column by the hashes in the columns `low` and `high`; all columns are strings. */
export function byHash(result: EngineResult, column: string): ReadonlyMap<bigint, string> {
  const values = stringsIn(result, column)
  const highs = stringsIn(result, 'high')
  const lows = stringsIn(result, 'low')
  return new Map(
    lows.map((low, i) => [(BigInt(highs[i] ?? 0) << HALF) | BigInt(low), values[i] ?? '']),
  )
}

/** Returns the value for a hash or, from an earlier version, for its low half. */
export function valueFor<Value>(
  found: ReadonlyMap<bigint, Value>,
  hash: bigint,
): Value | undefined {
  return found.get(hash) ?? found.get(lowHalf(hash))
}
