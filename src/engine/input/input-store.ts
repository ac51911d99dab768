import { join } from 'node:path'
import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { tableOf } from '../catalog/database.js'
import type { Documents } from '../catalog/documents.js'
import type { Part } from '../dataset-parts.js'
import type { Engine } from '../engine.js'
import { blockColumns } from '../ingest/scan/scan-columns.js'
import type { Store } from '../store.js'
import type { InputScan, ScannedGroup } from './input-scan.js'

/** The parts of a scan that a store needs. */
type ScannedFiles = Pick<InputScan, 'schema' | 'directory' | 'arrivedAt'>

/**
 * Opens a store with one dataset for the events of files, which are scanned for one query. Nothing can be stored in it; it is closed
 * with the engine. `show` replaces the events of the dataset, also events that another store shows.
 */
export function openInputStore(engine: Engine, input: ScannedFiles) {
  const { arrivedAt, directory } = input
  const { name, layout, fields } = input.schema.dataset
  const scanned = { ...layout, table: tableNameOf(name) }
  let part: Part = { events: 0, first: arrivedAt, last: arrivedAt }
  let shown = 0
  const changes = (): number => shown
  const store: Store = {
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
    layout: (dataset) => (dataset === name ? scanned : undefined),
    has: (dataset) => dataset === name,
    ingest: refuse,
    read: (query, limits) => engine.read(query, limits),
    parts: async (datasets) => datasets.map(() => part),
    statistics: async () => [],
    firstArrivals: async () => new Map(),
    create: refuse,
    remove: refuse,
    clear: refuse,
    rename: refuse,
    trim: refuse,
    removeBatches: refuse,
    acceptLoss: refuse,
    removals: changes,
    changes,
    isChanging: () => false,
    isGone: () => false,
    refresh: async () => {},
    close: () => engine.close(),
  }
  return {
    store,
    async show(group: ScannedGroup): Promise<void> {
      const { events, extent } = group
      part = { events, ...(extent ?? { first: arrivedAt, last: arrivedAt }) }
      shown++
      await engine.run(sql`DROP TABLE IF EXISTS ${tableOf(tableNameOf(name))}`)
      await engine.run(createTable(input, group))
    },
  }
}

/** Returns the name of the table. The table of the dataset itself has the events that do not fit and are stored. */
function tableNameOf(dataset: string): string {
  return `${dataset} scanned`
}

/** Returns a statement that creates a table whose rows are in the files of columns. */
function createTable({ schema, directory }: ScannedFiles, { first, last }: ScannedGroup): Sql {
  const { columns, leading } = schema.scan
  const stored = blockColumns(columns, leading).map(
    ({ name, type }) => sql`${identifier(name)} ${raw(type)}`,
  )
  const files = text(join(directory, `{${first}..${last}}.columns`))
  return sql`CREATE TABLE ${tableOf(tableNameOf(schema.dataset.name))} (${list(stored)}) ENGINE = File(Native, ${files})`
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
