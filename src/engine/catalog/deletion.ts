import { joined, type Sql, sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { numberIn } from '../response.js'
import { checkSpaceToDelete } from '../spool.js'
import { DATASETS, tableOf } from './database.js'
import type { Dataset } from './dataset.js'
import { literalSet } from './extraction.js'
import { withoutMerges } from './paused-merges.js'

// Deletion rewrites the parts without the deleted rows. Lightweight deletes would leave the rows on the disk and in all counts
// that are read from the metadata of parts. A statement waits for the server that runs it, not for other replicas: an unavailable
// replica applies the statement later.
const SYNCHRONOUS = sql`SETTINGS mutations_sync = 1`

// By default ClickHouse refuses to drop tables of more than 50 GB.
const ANY_SIZE = sql`SETTINGS max_table_size_to_drop = 0`

/**
 * Deletes rows of a metadata table. In the embedded engine the deletion is in effect before the rows are removed, for which it would
 * wait for merges of events: up to 20 seconds during an ingest.
 */
function deleteRows(engine: Engine, table: Sql, isDeleted: Sql): Promise<void> {
  const settings = engine.isShared ? SYNCHRONOUS : sql`SETTINGS mutations_sync = 0`
  return engine.run(sql`ALTER TABLE ${table} DELETE WHERE ${isDeleted} ${settings}`)
}

/** Drops the table of a dataset; `deletePaths` deletes its paths. */
export async function dropTable(engine: Engine, dataset: string): Promise<void> {
  const statement = (table: Sql): Sql => sql`DROP TABLE IF EXISTS ${table} SYNC ${ANY_SIZE}`
  await engine.change({ kind: 'drop', dataset, statement })
}

export async function truncateTable(engine: Engine, dataset: string): Promise<void> {
  const statement = (table: Sql): Sql => sql`TRUNCATE TABLE ${table} SYNC ${ANY_SIZE}`
  await engine.change({ kind: 'events', dataset, statement })
}

export async function deletePaths(engine: Engine, dataset: string): Promise<void> {
  await deleteRows(engine, sql`evq.path`, sql`dataset = ${text(dataset)}`)
}

/** Deletes the paths that are no longer fields of the dataset: paths inside maps, and paths beyond the limit. */
export async function deleteSurplusPaths(engine: Engine, dataset: Dataset): Promise<void> {
  const { name, paths, maps, isFull } = dataset
  const inMaps = [...maps].map((key) => sql`startsWith(path, ${text(`${key.slice(0, -1)},`)})`)
  const beyond = isFull ? [sql`path NOT IN ${literalSet([...paths.keys()])}`] : []
  if (inMaps.length + beyond.length === 0) return
  const isSurplus = joined([...inMaps, ...beyond], ' OR ')
  await deleteRows(engine, sql`evq.path`, sql`dataset = ${text(name)} AND (${isSurplus})`)
}

/** Deletes the saved outcomes of a dataset's batches. */
export async function deleteBatches(engine: Engine, dataset: string): Promise<void> {
  await deleteRows(engine, sql`evq.batch`, sql`dataset = ${text(dataset)}`)
}

export async function deleteEvents(engine: Engine, dataset: string, isDeleted: Sql): Promise<void> {
  const statement = (table: Sql): Sql =>
    sql`ALTER TABLE ${table} DELETE WHERE ${isDeleted} ${SYNCHRONOUS}`
  await withoutMerges(engine, dataset, () => engine.change({ kind: 'events', dataset, statement }))
}

/**
 * Returns the bytes of space that a deletion of events needs until the engine removes the files of old parts: the size of the parts
 * that are rewritten since they have other events, too, less the size of the parts that have none.
 */
export async function bytesToDelete(
  engine: Engine,
  dataset: string,
  isDeleted: Sql,
): Promise<number> {
  const result = await engine.ask(
    sql`
      SELECT toInt64(sum(if(isRewritten, 1, -1) * toInt64(bytes_on_disk))) AS bytes
      FROM (SELECT _part AS name, countIf(${isDeleted}) < count() AS isRewritten FROM ${tableOf(dataset)}
        GROUP BY name HAVING countIf(${isDeleted}) > 0) AS changed
      INNER JOIN (SELECT name, bytes_on_disk FROM ${engine.storedParts}
        WHERE active AND database = ${text(DATASETS)} AND table = ${text(dataset)}) AS stored USING name`,
    { datasets: [dataset] },
  )
  return Math.max(0, numberIn(result, 'bytes'))
}

/** Rejects when the disk of the spool has no space for a deletion. A shared engine has its data on other disks. */
export async function requireSpace(
  engine: Engine,
  dataset: string,
  { isDeleted, spool }: { readonly isDeleted: Sql; readonly spool: string },
): Promise<void> {
  if (engine.isShared) return
  checkSpaceToDelete(spool, await bytesToDelete(engine, dataset, isDeleted))
}

/** Deletes the events older than a time, in nanoseconds since 1970, and resolves with their number. */
export async function deleteBefore(
  engine: Engine,
  dataset: string,
  { instant, spool }: { readonly instant: bigint; readonly spool: string },
): Promise<number> {
  const older = sql`_time < fromUnixTimestamp64Nano(toInt64(${instant}), 'UTC')`
  const result = await engine.ask(
    sql`SELECT count() AS events FROM ${tableOf(dataset)} WHERE ${older}`,
    { datasets: [dataset] },
  )
  const events = numberIn(result, 'events')
  if (events === 0) return 0
  await requireSpace(engine, dataset, { isDeleted: older, spool })
  await deleteEvents(engine, dataset, older)
  return events
}
