import { createHash } from 'node:crypto'
import { list, type Sql, sql } from '../../sql/sql.js'
import { textsIn } from '../clickhouse/response.js'
import type { EngineResult } from '../engine.js'

// A mark is stored in two columns of 64 bits. Earlier versions stored the low half only: what they stored has 0 as its
// high half, which no new mark has.

const HALF = 64n
const LOW = (1n << HALF) - 1n

/** Returns the number of 128 bits that marks the rows of a batch; 0 for one without an id. */
export function batchMark(batchId: string | undefined): bigint {
  if (batchId === undefined) return 0n
  const hash = createHash('sha256').update(batchId).digest()
  const low = hash.readBigUInt64BE(0) || 1n
  const high = hash.readBigUInt64BE(8) || 1n
  return (high << HALF) | low
}

/** The half that all versions store. */
export function lowHalf(mark: bigint): bigint {
  return mark & LOW
}

export function highHalf(mark: bigint): bigint {
  return mark >> HALF
}

/** The low halves of marks, to select candidates by. */
export function lowHalvesSql(marks: readonly bigint[]): Sql {
  return list(marks.map((mark) => sql`toUInt64(${lowHalf(mark)})`))
}

/** Returns the values of a column by the marks in the columns `low` and `high` of the same answer, all of them text. */
export function byMark(answer: EngineResult, column: string): ReadonlyMap<bigint, string> {
  const values = textsIn(answer, column)
  const highs = textsIn(answer, 'high')
  const lows = textsIn(answer, 'low')
  return new Map(
    lows.map((low, i) => [(BigInt(highs[i] ?? 0) << HALF) | BigInt(low), values[i] ?? '']),
  )
}

/** Returns what was found for a mark, or for its low half alone. */
export function foundFor<Value>(
  found: ReadonlyMap<bigint, Value>,
  mark: bigint,
): Value | undefined {
  return found.get(mark) ?? found.get(lowHalf(mark))
}
