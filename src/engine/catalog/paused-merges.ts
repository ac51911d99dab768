import { raw, sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { DATASETS, tableOf } from './database.js'

// ClickHouse rewrites parts for a deletion when there is nothing to merge, which is minutes after a large ingest. The embedded engine
// starts no merges of a table while events are deleted from it.

/** The size of the parts of one merge, in bytes. */
export const MERGED_BYTES = 256 * 1024 ** 2
const NO_MERGES = 1
const SETTING = 'max_bytes_to_merge_at_max_space_in_pool'

/** The column with a comment while merges are paused: the engine would take long to list the settings of many tables. */
const MARKED = '_batch'
const PAUSED = 'merges are paused'

/** Runs a deletion of events while no merges of the dataset are started. */
export async function withoutMerges(
  engine: Engine,
  dataset: string,
  run: () => Promise<void>,
): Promise<void> {
  if (engine.isShared) return await run()
  await limitMerges(engine, dataset, NO_MERGES)
  try {
    await run()
  } finally {
    await limitMerges(engine, dataset, MERGED_BYTES)
  }
}

/** Allows merges where a process was killed during a deletion. */
export async function resumeMerges(engine: Engine): Promise<void> {
  if (engine.isShared) return
  const result = await engine.ask(sql`
    SELECT table FROM system.columns
    WHERE database = ${text(DATASETS)} AND name = ${text(MARKED)} AND comment = ${text(PAUSED)}`)
  for (const { table } of rowsIn(result, 'table')) await limitMerges(engine, table, MERGED_BYTES)
}

async function limitMerges(engine: Engine, dataset: string, bytes: number): Promise<void> {
  const comment = bytes === NO_MERGES ? PAUSED : ''
  await engine.run(sql`
    ALTER TABLE ${tableOf(dataset)} COMMENT COLUMN ${raw(MARKED)} ${text(comment)},
      MODIFY SETTING ${raw(SETTING)} = ${bytes}`)
}
