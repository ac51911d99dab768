import { joined, type Sql, sql, text } from '../../sql/sql.js'
import { isOneOf } from '../batch-hash.js'
import type { Engine } from '../engine.js'
import { stringsIn } from '../response.js'
import { tableOf } from './database.js'
import type { Dataset } from './dataset.js'
import { literalSet } from './extraction.js'

// Deletion rewrites the parts without the deleted rows. Lightweight deletes would leave the rows on the disk and in all counts
// that are read from the metadata of parts. A statement waits for the server that runs it, not for other replicas: an unavailable
// replica applies the statement later.
const SYNCHRONOUS = sql`SETTINGS mutations_sync = 1`

// By default ClickHouse refuses to drop tables of more than 50 GB.
const ANY_SIZE = sql`SETTINGS max_table_size_to_drop = 0`

/** Drops the table of a dataset; `deletePaths` deletes its paths. */
export async function dropTable(engine: Engine, dataset: string): Promise<void> {
  const statement = (table: Sql): Sql => sql`DROP TABLE IF EXISTS ${table} SYNC ${ANY_SIZE}`
  await engine.change({ kind: 'drop', dataset, statement })
}

/** Deletes all events of a dataset. */
export async function truncateTable(engine: Engine, dataset: string): Promise<void> {
  const statement = (table: Sql): Sql => sql`TRUNCATE TABLE ${table} SYNC ${ANY_SIZE}`
  await engine.change({ kind: 'events', dataset, statement })
}

/** Deletes the paths of a dropped dataset. */
export async function deletePaths(engine: Engine, dataset: string): Promise<void> {
  await engine.run(sql`
    ALTER TABLE evq.path DELETE WHERE dataset = ${text(dataset)} ${SYNCHRONOUS}`)
}

/** Deletes the paths that are no longer fields of the dataset: paths inside maps, and paths beyond the limit. */
export async function deleteSurplusPaths(engine: Engine, dataset: Dataset): Promise<void> {
  const { name, paths, maps, isFull } = dataset
  const inMaps = [...maps].map((key) => sql`startsWith(path, ${text(`${key.slice(0, -1)},`)})`)
  const beyond = isFull ? [sql`path NOT IN ${literalSet([...paths.keys()])}`] : []
  if (inMaps.length + beyond.length === 0) return
  const isSurplus = joined([...inMaps, ...beyond], ' OR ')
  await engine.run(sql`
    ALTER TABLE evq.path DELETE WHERE dataset = ${text(name)} AND (${isSurplus}) ${SYNCHRONOUS}`)
}

/** Deletes the saved outcomes of a dataset's batches. */
export async function deleteBatches(engine: Engine, dataset: string): Promise<void> {
  await engine.run(sql`
    ALTER TABLE evq.batch DELETE WHERE dataset = ${text(dataset)} ${SYNCHRONOUS}`)
}

/** Deletes the events of batches. */
export async function deleteEventsOf(
  engine: Engine,
  dataset: string,
  hashes: readonly bigint[],
): Promise<void> {
  const isOfBatches = isOneOf(sql`_batch`, hashes)
  const statement = (table: Sql): Sql =>
    sql`ALTER TABLE ${table} DELETE WHERE ${isOfBatches} ${SYNCHRONOUS}`
  await engine.change({ kind: 'events', dataset, statement })
}

/** Deletes the events older than a time, in nanoseconds since 1970, and resolves with their number. */
export async function deleteBefore(
  engine: Engine,
  dataset: string,
  instant: bigint,
): Promise<number> {
  const older = sql`_time < fromUnixTimestamp64Nano(toInt64(${instant}), 'UTC')`
  const result = await engine.ask(
    sql`SELECT toString(count()) AS events FROM ${tableOf(dataset)} WHERE ${older}`,
    { datasets: [dataset] },
  )
  const events = Number(stringsIn(result, 'events')[0] ?? 0)
  if (events === 0) return 0
  const statement = (table: Sql): Sql =>
    sql`ALTER TABLE ${table} DELETE WHERE ${older} ${SYNCHRONOUS}`
  await engine.change({ kind: 'events', dataset, statement })
  return events
}
