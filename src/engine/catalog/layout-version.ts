import { sql } from '../../sql/sql.js'
import { stringsIn } from '../clickhouse/response.js'
import type { Engine } from '../engine.js'
import { StoreError } from '../store-error.js'
import type { Dataset } from './dataset.js'
import { upgradeColumns } from './table.js'
import { LAYOUT, layoutComment, layoutIn } from './table-comments.js'
import { addTokenIndexes } from './token-indexes.js'

/** Returns the version of the layout of the stored data. Throws a `StoreError` when this program does not know it. */
export async function readLayout(engine: Engine): Promise<number> {
  const result = await engine.ask(
    sql`SELECT comment FROM system.tables WHERE database = 'evq' AND name = 'path'`,
  )
  const found = layoutIn(stringsIn(result, 'comment')[0] ?? '')
  if (found <= LAYOUT) return found
  throw new StoreError({
    reason: 'failed',
    message: `The data was written by a newer version of evq: its layout is ${found}, and this version reads layouts up to ${LAYOUT}. Update evq to open it.`,
  })
}

/**
 * Upgrades data of an earlier layout. Only the definitions of columns and indexes change: stored events stay as they are, and
 * merges compress their columns again and build indexes. The version is written last; after a crash, all of it is repeated.
 */
export async function upgradeLayout(
  engine: Engine,
  datasets: Map<string, Dataset>,
  version: number,
): Promise<void> {
  if (version >= LAYOUT) return
  for (const [name, dataset] of datasets) {
    if (version < 2) await compressColumns(engine, dataset)
    datasets.set(name, await addTokenIndexes(engine, dataset))
  }
  await engine.run(sql`ALTER TABLE evq.path MODIFY COMMENT ${layoutComment()}`)
}

async function compressColumns(engine: Engine, dataset: Dataset): Promise<void> {
  const { name, former } = dataset
  const current = dataset.typedPaths().map(({ column, known }) => ({ column, path: known.path }))
  const columns = [...current, ...former]
  if (columns.length > 0) await engine.change(upgradeColumns(name, columns))
}
