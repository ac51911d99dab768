import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Sql, sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { hasAllInserts, partIn, sqlName, type Table } from './table-parts.js'
import type { WrittenPart } from './written-parts.js'

/** The time for which a table is not merged after a merge of it that could not be written; deletions of its events wait as long. */
const PAUSE_MS = 60_000

/**
 * Brings back the parts from which an incomplete one was made: for two minutes they are on the disk, and the engine loads them in
 * place of a part that it can't load. Meanwhile the table is missing for some milliseconds. Resolves with false when they are gone.
 */
export async function undoRewrite(
  engine: Engine,
  { table, name, path }: WrittenPart,
): Promise<boolean> {
  const others = await partNames(engine, table, sql`name != ${text(name)}`)
  if (!hasAllInserts(name, others)) return false
  await engine.run(sql`DETACH TABLE ${sqlName(table)} SYNC`)
  await engine.run(sql`ATTACH TABLE ${sqlName(table)}`)
  // The next merge would probably fail as well.
  await engine.run(sql`SYSTEM STOP MERGES ${sqlName(table)}`)
  setTimeout(() => {
    // A table that was deleted has no merges.
    engine.run(sql`SYSTEM START MERGES ${sqlName(table)}`).catch(() => {})
  }, PAUSE_MS).unref()
  const loaded = await partNames(engine, table, sql`active`)
  const detached = join(dirname(path), 'detached')
  for (const folder of await readdir(detached)) {
    const isReplaced = folder.startsWith('broken') && hasAllInserts(partIn(folder), loaded)
    if (isReplaced) await rm(join(detached, folder), { recursive: true, force: true })
  }
  return true
}

async function partNames(engine: Engine, { database, name }: Table, condition: Sql) {
  const result = await engine.ask(sql`
    SELECT name FROM system.parts
    WHERE database = ${text(database)} AND table = ${text(name)} AND ${condition}`)
  return rowsIn(result, 'name')
}
