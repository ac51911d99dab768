import { join } from 'node:path'
import { identifier, list, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS, METADATA } from '../catalog/database.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'

/** A table of the embedded engine. */
export interface Table {
  /** The id of the table, which is also the name of its folder; a table that is created again under the same name has another one. */
  readonly id: string
  readonly database: string
  readonly name: string
}

export function sqlName({ database, name }: Table): Sql {
  return sql`${identifier(database)}.${identifier(name)}`
}

/** A part of a table: the rows of an insert, or of several that were merged. */
export interface TablePart {
  readonly table: Table
  readonly name: string
  readonly rows: number
}

export interface LoadedParts {
  readonly parts: readonly TablePart[]
  /** The ids of tables with an unfinished mutation, which may remove parts. */
  readonly changing: ReadonlySet<string>
  /** True while parts of any table are being merged or changed. */
  readonly isMerging: boolean
}

/** The tables of metadata whose rows are never deleted by age: fields, and documents such as saved queries. */
export const LASTING_TABLES: readonly string[] = ['path', 'document']

/** All tables of metadata. The outcomes of batches are deleted by age, so a missing part of theirs is not damage. */
export const METADATA_TABLES: readonly string[] = [...LASTING_TABLES, 'batch']

/** Returns the parts of datasets and of metadata, by default of all tables whose rows are removed only by deletions. */
export async function loadedParts(
  engine: Engine,
  metadata: readonly string[] = LASTING_TABLES,
): Promise<LoadedParts> {
  const result = await engine.ask(sql`
    SELECT database, table, name, path, toString(rows) AS events,
      toString((database, table) IN (SELECT database, table FROM system.mutations WHERE NOT is_done)) AS changing,
      toString((SELECT count() FROM system.merges) > 0) AS merging
    FROM system.parts
    WHERE active AND rows > 0 AND (database = ${text(DATASETS)} OR
      database = ${text(METADATA)} AND table IN (${list(metadata.map(text))}))`)
  const changing = new Set<string>()
  const found = rowsIn(result, 'database', 'table', 'name', 'path', 'events', 'changing', 'merging')
  const parts = found.flatMap(({ database, table, name, path, events, changing: isChanging }) => {
    const id = tableIdIn(path)
    if (id === undefined) return []
    if (isChanging === '1') changing.add(id)
    return [{ table: { id, database, name: table }, name, rows: Number(events) }]
  })
  return { parts, changing, isMerging: found[0]?.merging === '1' }
}

/** A part that the engine could not load when it started. */
export type BrokenPart = Pick<TablePart, 'table' | 'name'>

/** Returns the parts that the engine could not load, at this start or an earlier one. */
export async function brokenParts(engine: Engine): Promise<readonly BrokenPart[]> {
  const result = await engine.ask(sql`
    SELECT database, table, name, path FROM system.detached_parts
    WHERE startsWith(reason, 'broken') ORDER BY database, table, name`)
  const found = rowsIn(result, 'database', 'table', 'name', 'path')
  return found.map(({ database, table, name, path }) => ({
    table: { id: tableIdIn(path) ?? '', database, name: table },
    name: partIn(name),
  }))
}

/** Returns the folder of the parts that the engine has detached from a table. */
export function detachedFolder(directory: string, { id }: Table): string {
  return join(directory, 'store', id.slice(0, 3), id, 'detached')
}

/** Returns the id of the table in the path of a part; undefined when the database gives its tables no ids. */
export function tableIdIn(path: string): string | undefined {
  return /\/store\/[0-9a-f]{3}\/([0-9a-f-]{36})\//.exec(path)?.[1]
}

/** The name of a part: the numbers of its first and its last insert, and of its merges and mutations. */
const PART_NAME = /all_(\d+)_(\d+)_\d+(?:_\d+)?/

export function partIn(folder: string): string {
  return PART_NAME.exec(folder)?.[0] ?? folder
}

/** The numbers of the inserts in a part, both included. */
interface Inserts {
  readonly first: number
  readonly last: number
}

function insertsIn(name: string): Inserts {
  const [, first, last] = PART_NAME.exec(name) ?? []
  return { first: Number(first), last: Number(last) }
}

function contains(outer: Inserts, inner: Inserts): boolean {
  return outer.first <= inner.first && inner.last <= outer.last
}

/**
 * Returns the number of rows of a part that the loaded parts of its table lack. Merges keep the inserts of a part: they are
 * either in one part that may contain more, or in the parts that were merged into the missing one.
 */
export function missingRows(
  { name, rows }: Pick<TablePart, 'name' | 'rows'>,
  loaded: readonly TablePart[],
): number {
  const inserts = insertsIn(name)
  if (loaded.some((part) => contains(insertsIn(part.name), inserts))) return 0
  const found = loaded.filter((part) => contains(inserts, insertsIn(part.name)))
  return Math.max(0, rows - found.reduce((sum, part) => sum + part.rows, 0))
}

/** True when a part holds some of the inserts of another one. */
export function overlaps(name: string, other: string): boolean {
  const [one, two] = [insertsIn(name), insertsIn(other)]
  return one.first <= two.last && two.first <= one.last
}

/** Returns the folder in which the engine keeps a part that is detached, given the names of all such folders. */
export function folderOf(part: string, folders: readonly string[]): string | undefined {
  return folders.find((folder) => PART_NAME.exec(folder)?.[0] === part)
}

/** True when the loaded parts of a table contain each insert of a part whose number of rows is not known. */
export function hasAllInserts(name: string, loaded: readonly Pick<TablePart, 'name'>[]): boolean {
  const { first, last } = insertsIn(name)
  const found = loaded.map((part) => insertsIn(part.name)).sort((a, b) => a.first - b.first)
  let next = first
  for (const inserts of found) {
    if (inserts.first <= next && next <= inserts.last) next = inserts.last + 1
  }
  return next > last
}
