import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import { type Engine, EngineError } from '../engine.js'

/** Stored rows of a table that could not be opened when the engine started, and were put aside. */
export interface Corruption {
  /** The dataset whose events they are; undefined for what evq keeps for itself. */
  readonly dataset: string | undefined
  /** Where they are now. */
  readonly folders: readonly string[]
}

/** What the embedded engine put aside, each time that it is opened until somebody removes it. */
export async function findCorruption(
  directory: string,
  engine: Engine,
): Promise<readonly Corruption[]> {
  // A look into the folders takes a fraction of the time that asking the engine does, and hardly ever is there any.
  if (!(await hasDetached(directory))) return []
  const { columns } = await engine.ask(sql`
    SELECT if(database = ${text(DATASETS)}, table, '') AS dataset, groupArray(path) AS folders
    FROM system.detached_parts WHERE startsWith(reason, 'broken') GROUP BY dataset ORDER BY dataset`)
  const datasets = JSON.parse(columns.get('dataset') ?? '[]') as readonly string[]
  const folders = JSON.parse(columns.get('folders') ?? '[]') as readonly (readonly string[])[]
  return datasets.map((name, i) => ({ dataset: name || undefined, folders: folders[i] ?? [] }))
}

async function hasDetached(directory: string): Promise<boolean> {
  const store = join(directory, 'store')
  const shelves = await names(store)
  const tables = await Promise.all(
    shelves.map(async (shelf) => (await names(join(store, shelf))).map((id) => join(shelf, id))),
  )
  const detached = await Promise.all(
    tables.flat().map((table) => names(join(store, table, 'detached'))),
  )
  return detached.some((parts) => parts.some((part) => part.startsWith('broken')))
}

async function names(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => [])
}

/** ClickHouse's codes for bytes that are not those that it wrote: a checksum, corrupted data, what can't be unpacked. */
const CORRUPTION_CODES = [40, 246, 271]

/** Whether the engine met stored bytes that are not what it wrote. */
export function isCorruption(error: unknown): boolean {
  return error instanceof EngineError && CORRUPTION_CODES.includes(error.code)
}
