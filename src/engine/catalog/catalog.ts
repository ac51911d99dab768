import { setImmediate } from 'node:timers/promises'
import { list, sql, text } from '../../sql/sql.js'
import { fieldName, pathKey, pathOfKey } from '../../wire/json/field-path.js'
import { columnTypes } from '../../wire/json/kinds.js'
import { MAX_FIELDS } from '../../wire/limits.js'
import type { Engine, EngineResult } from '../engine.js'
import { rowsIn } from '../response.js'
import { DATASETS, DURABLE, DURABLE_MERGES } from './database.js'
import { changedPaths, Dataset, type KnownPath, type Paths, type PlacedColumn } from './dataset.js'
import { deleteSurplusPaths } from './deletion.js'
import { withinLimits } from './field-limit.js'
import { columnStateIn, layoutComment } from './table-comments.js'
import { numberedTokenIndexes } from './token-indexes.js'
import { type TypedColumn, typedColumnOf } from './typed-column.js'

// The paths of events are written here before the events are stored, so that after a crash every field of every stored
// event is known. Rows are only added, and the rows of one path are combined by `or`: writers need no coordination.

/** Creates the table of the fields of all datasets unless it exists. */
export async function createCatalog(engine: Engine): Promise<void> {
  // Servers choose the engine of databases themselves.
  const atomic = engine.isShared ? sql`` : sql`ENGINE = Atomic`
  await engine.run(sql`CREATE DATABASE IF NOT EXISTS evq ${atomic}`)
  await engine.createTable({
    name: 'path',
    columns: sql`dataset String, path String, kinds SimpleAggregateFunction(groupBitOr, UInt8)`,
    engine: { family: 'AggregatingMergeTree' },
    clauses: sql`ORDER BY (dataset, path) SETTINGS ${DURABLE}, ${DURABLE_MERGES} COMMENT ${layoutComment()}`,
  })
}

/** Saves the paths of events that are about to be stored. */
export async function savePaths(
  engine: Engine,
  dataset: string,
  paths: readonly KnownPath[],
): Promise<void> {
  if (paths.length === 0) return
  const rows = paths.map(
    ({ path, kinds }) => sql`(${text(dataset)}, ${text(pathKey(path))}, ${kinds})`,
  )
  // Not VALUES: with it the embedded engine also reads the standard input of the process, which may be the pipe with the
  // events.
  await engine.run(sql`
    INSERT INTO evq.path (dataset, path, kinds)
    SELECT row.1, row.2, row.3 FROM (SELECT arrayJoin([${list(rows)}]) AS row)`)
}

/** Saved in place of a path: it marks a dataset without fields for `hasPaths`. */
export const MARK = ''

/** True when paths of a dataset are saved, which need not exist. */
export async function hasPaths(engine: Engine, dataset: string): Promise<boolean> {
  await engine.synchronize?.(['path'])
  const { rows } = await engine.ask(
    sql`SELECT 1 AS found FROM evq.path WHERE dataset = ${text(dataset)} LIMIT 1`,
  )
  return rows > 0
}

export async function loadDatasets(engine: Engine): Promise<Map<string, Dataset>> {
  await engine.synchronize?.(['path'])
  const [found, savedPaths] = await Promise.all([
    engine.ask(COLUMNS).then(tablesIn),
    loadPaths(engine),
  ])
  const isMissing = [...savedPaths.keys()].some((name) => !found.has(name))
  const tables = isMissing ? await withTablesOfAll(engine, found) : found
  const datasets = new Map<string, Dataset>()
  for (const [name, { placed, indexed }] of tables) {
    await setImmediate()
    const saved = savedPaths.get(name) ?? new Map()
    const all = placed.map(({ column }) => column)
    const paths = withinLimits(frequentFirst(saved, all))
    const columns = usableColumns(paths, all)
    const former = placed.filter(({ column }) => columns.get(column.field) !== column)
    const tokenIndexes = numberedTokenIndexes(indexed)
    const dataset = new Dataset(name, { paths, columns, former, tokenIndexes })
    datasets.set(name, dataset)
    if ([...saved.keys()].every((key) => paths.has(key))) continue
    await savePaths(engine, name, changedPaths(saved, paths))
    await deleteSurplusPaths(engine, dataset)
  }
  return datasets
}

/** Moves paths with typed columns to the front when there are more than can be kept. */
function frequentFirst(paths: Paths, columns: readonly TypedColumn[]): Paths {
  if (paths.size <= MAX_FIELDS) return paths
  const fields = new Set(columns.map(({ field }) => field))
  const isFrequent = ([, { path }]: [string, KnownPath]): boolean => fields.has(fieldName(path))
  const all = [...paths]
  return new Map([...all.filter(isFrequent), ...all.filter((one) => !isFrequent(one))])
}

/** Returns the columns that hold all or some of the values of their field. */
function usableColumns(
  paths: Paths,
  columns: readonly TypedColumn[],
): ReadonlyMap<string, TypedColumn> {
  const kindsOf = new Map([...paths.values()].map(({ path, kinds }) => [fieldName(path), kinds]))
  const usable = columns.filter(({ field, type }) =>
    columnTypes(kindsOf.get(field) ?? 0).includes(type),
  )
  // The last of several columns replaced the others.
  return new Map(usable.map((column) => [column.field, column]))
}

interface Table {
  readonly placed: PlacedColumn[]
  /** The number of the token index over each column that has one. */
  readonly indexed: Map<string, number>
}

type Tables = ReadonlyMap<string, Table>

/** Adds the tables that only other servers have: a server lacks them for a while when they were created while it was away. */
async function withTablesOfAll(engine: Engine, found: Tables): Promise<Tables> {
  const others = (await engine.askEach?.(COLUMNS)) ?? []
  return new Map([...others.flatMap((result) => [...tablesIn(result)]), ...found])
}

const COLUMNS = sql`
  SELECT table, name, comment FROM system.columns WHERE database = ${text(DATASETS)}
  ORDER BY table, position`

function tablesIn(result: EngineResult): Tables {
  const tables = new Map<string, Table>()
  for (const { table, name, comment } of rowsIn(result, 'table', 'name', 'comment')) {
    const found: Table = tables.get(table) ?? { placed: [], indexed: new Map() }
    tables.set(table, found)
    const column = typedColumnOf(name)
    const { path, index } = columnStateIn(comment)
    if (column !== undefined && path !== undefined) found.placed.push({ column, path })
    if (index !== undefined) found.indexed.set(name, index)
  }
  return tables
}

async function loadPaths(engine: Engine): Promise<Map<string, Map<string, KnownPath>>> {
  const result = await engine.ask(
    sql`
      SELECT dataset, path, toString(found) AS kinds
      FROM (
        SELECT dataset, path, groupBitOr(kinds) AS found FROM evq.path
        WHERE path != ${text(MARK)} GROUP BY dataset, path
      )
      ORDER BY dataset, found = 0, path`,
  )
  const datasets = new Map<string, Map<string, KnownPath>>()
  for (const { dataset, path: key, kinds } of rowsIn(result, 'dataset', 'path', 'kinds')) {
    const paths = datasets.get(dataset) ?? new Map<string, KnownPath>()
    paths.set(key, { path: pathOfKey(key), kinds: Number(kinds) })
    datasets.set(dataset, paths)
  }
  return datasets
}
