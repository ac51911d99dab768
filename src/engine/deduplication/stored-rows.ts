import { sql } from '../../sql/sql.js'
import { byHash, isOneOf } from '../batch-hash.js'
import { tableOf } from '../catalog/database.js'
import type { Engine } from '../engine.js'

/** Returns the numbers of rows that the table of a dataset has of batches, by their hashes. */
export async function storedRows(
  engine: Engine,
  dataset: string,
  hashes: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  const result = await engine.ask(sql`
    SELECT hex(_batch) AS hash, toString(count()) AS rows
    FROM ${tableOf(dataset)} WHERE ${isOneOf(sql`_batch`, hashes)} GROUP BY _batch`)
  return new Map([...byHash(result, 'rows')].map(([hash, rows]) => [hash, Number(rows)]))
}
