import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import { type Engine, EngineError } from '../engine.js'

/** Parts of a table that the engine could not load when it started and has detached. */
export interface Corruption {
  /** The dataset; undefined for an internal table. */
  readonly dataset: string | undefined
  /** The folders of the detached parts. */
  readonly folders: readonly string[]
}

/** Returns the detached parts of the embedded engine. They are reported at each start until they are removed. */
export async function findCorruption(
  directory: string,
  engine: Engine,
): Promise<readonly Corruption[]> {
  // Reading the folders takes a fraction of the time of a query, and detached parts are rare.
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
  const prefixes = await names(store)
  const tables = await Promise.all(
    prefixes.map(async (prefix) =>
      (await names(join(store, prefix))).map((id) => join(prefix, id)),
    ),
  )
  const detached = await Promise.all(
    tables.flat().map((table) => names(join(store, table, 'detached'))),
  )
  return detached.some((parts) => parts.some((part) => part.startsWith('broken')))
}

async function names(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => [])
}

/** ClickHouse's error codes for corrupted files: wrong checksums, corrupted data, data that can't be decompressed. */
const CORRUPTION_CODES = [40, 246, 271]

/** Returns true for an error caused by corrupted files. */
export function isCorruption(error: unknown): boolean {
  return error instanceof EngineError && CORRUPTION_CODES.includes(error.code)
}
