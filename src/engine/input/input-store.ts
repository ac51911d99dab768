import { join } from 'node:path'
import { identifier, list, raw, sql, text } from '../../sql/sql.js'
import { tableOf } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Part } from '../dataset-parts.js'
import type { Engine } from '../engine.js'
import { nativeColumns } from '../ingest/scan/scan-columns.js'
import type { Store } from '../store.js'
import { COLUMNS_SUFFIX, type ScannedInput } from './input-scan.js'

/** Opens the events of files, which were scanned for one query, as a store with one dataset. Nothing can be stored in it. */
export async function openInputStore(engine: Engine, input: ScannedInput): Promise<Store> {
  const { schema, directory } = input
  const { name, layout, fields } = schema.dataset
  await createTable(engine, input)
  const part = partOf(input)
  return {
    schema: {
      datasets: [name],
      fields: (dataset) => (dataset === name ? fields : undefined),
    },
    spool: directory,
    starredQueries: NO_DOCUMENTS,
    retention: NO_DOCUMENTS,
    tokens: NO_DOCUMENTS,
    datasetRecords: NO_DOCUMENTS,
    damage: [],
    layout: (dataset) => (dataset === name ? layout : undefined),
    ingest: refuse,
    read: (query, limits) => engine.read(query, limits),
    scan: engine.scan && ((query, limits) => engine.scan!(query, limits)),
    scanNative: engine.scanNative && ((query, limits) => engine.scanNative!(query, limits)),
    parts: async (datasets) => datasets.map(() => part),
    blocks: async () => 1,
    statistics: async () => [],
    firstArrivals: async () => new Map(),
    create: refuse,
    remove: refuse,
    clear: refuse,
    rename: refuse,
    trim: refuse,
    removeBatches: refuse,
    acceptLoss: refuse,
    removals: () => 0,
    isGone: () => false,
    changes: () => 0,
    refresh: async () => {},
    close: () => engine.close(),
  }
}

/** Creates a table whose rows are in the files of columns. */
async function createTable(engine: Engine, input: ScannedInput): Promise<void> {
  const { schema, directory, arrivedAt } = input
  const { columns, leading } = schema.scan.columns
  const stored = nativeColumns(columns, leading).map(
    ({ name, type }) => sql`${identifier(name)} ${raw(type)}`,
  )
  // Without a column of times, no query reads them.
  const time = sql`_time DateTime64(9, 'UTC') DEFAULT fromUnixTimestamp64Nano(toInt64(${arrivedAt}), 'UTC')`
  const all = leading?.includes('_time') ? stored : [time, ...stored]
  const files = text(join(directory, `*${COLUMNS_SUFFIX}`))
  const statement = sql`CREATE TABLE ${tableOf(schema.dataset.name)} (${list(all)}) ENGINE = File(Native, ${files})`
  await engine.run(statement)
}

function partOf({ events, extent, arrivedAt }: ScannedInput): Part {
  return { events, ...(extent ?? { first: arrivedAt, last: arrivedAt }) }
}

const NO_DOCUMENTS: Documents = {
  get: async () => undefined,
  list: async () => [],
  put: refuse,
  remove: refuse,
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('the events of files are only read'))
}
