import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { identifier, sql, text } from '../../sql/sql.js'
import { type Engine, EngineError, SOCKET_TIMEOUT } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import type { Table } from './table-parts.js'

// The rows of a part are in the files of its columns, in blocks with checksums. Other files can be made again: the number of rows is known
// from the ledger, the engine computes checksums that are missing, and indexes and statistics only save time. The engine reads as many
// rows as the number says, so that one that is not known can't be found by reading.

/** The file with the number of rows. */
const COUNT = 'count.txt'
/** The files that are left out in an attempt to attach a part. */
const ATTEMPTS = [
  /^$/,
  /^(?:checksums\.txt|skp_idx_.*|statistics.*)$/,
  /^(?:checksums\.txt|skp_idx_.*|statistics.*|default_compression_codec\.txt|metadata_version\.txt)$/,
]
/** Inserts are numbered from 1. */
const TRIAL = 'all_0_0_0'

interface DetachedPart {
  readonly table: Table
  /** The folder of the detached parts of the table. */
  readonly detached: string
  /** The name of the part's folder in it. */
  readonly folder: string
  readonly rows: number
}

/**
 * Attaches a detached part again when all of its rows can be read; otherwise its folder stays as it is. The caller ensures that nothing
 * is stored in the table meanwhile. Resolves with true when it is attached.
 */
export async function repairPart(engine: Engine, part: DetachedPart): Promise<boolean> {
  // A merge would rename what was attached.
  const merges = sql`MERGES ${sqlName(part.table)}`
  await engine.run(sql`SYSTEM STOP ${merges}`)
  try {
    for (const leftOut of ATTEMPTS) {
      const name = await attach(engine, part, leftOut)
      if (name === undefined) continue
      if (await isIntact(engine, part, name)) {
        await rm(join(part.detached, part.folder), { recursive: true })
        return true
      }
      await engine.run(sql`ALTER TABLE ${sqlName(part.table)} DETACH PART ${text(name)}`)
      await rm(join(part.detached, name), { recursive: true, force: true })
    }
    return false
  } finally {
    await engine.run(sql`SYSTEM START ${merges}`)
  }
}

/** Attaches the files of a part, which stay where they are, too. Resolves with its name; with undefined when the engine refuses them. */
async function attach(
  engine: Engine,
  { table, detached, folder, rows }: DetachedPart,
  leftOut: RegExp,
): Promise<string | undefined> {
  const trial = join(detached, TRIAL)
  await rm(trial, { recursive: true, force: true })
  const others = new Set(await readdir(detached))
  await mkdir(trial)
  for (const file of await readdir(join(detached, folder))) {
    if (file === COUNT || leftOut.test(file)) continue
    await link(join(detached, folder, file), join(trial, file))
  }
  await writeFile(join(trial, COUNT), `${rows}`)
  const before = new Set(await partsOf(engine, table))
  try {
    await engine.run(sql`ALTER TABLE ${sqlName(table)} ATTACH PART ${text(TRIAL)}`)
  } catch (error) {
    // The engine renames what it refuses.
    for (const name of await readdir(detached)) {
      if (!others.has(name)) await rm(join(detached, name), { recursive: true })
    }
    if (isAboutFiles(error)) return undefined
    throw error
  }
  return (await partsOf(engine, table)).find((name) => !before.has(name))
}

/** Compares the checksums of a part and reads its primary index and all of its columns. */
async function isIntact(
  engine: Engine,
  { table, rows }: DetachedPart,
  part: string,
): Promise<boolean> {
  try {
    const check = await engine.ask(sql`
      CHECK TABLE ${sqlName(table)} PART ${text(part)} SETTINGS check_query_single_value_result = 0`)
    if (numberIn(check, 'is_passed') !== 1) return false
    await engine.ask(sql`
      SELECT count() FROM mergeTreeIndex(${text(table.database)}, ${text(table.name)})
      WHERE part_name = ${text(part)} AND NOT ignore(*)`)
    const read = await engine.ask(sql`
      SELECT toUInt64(count()) AS rows FROM ${sqlName(table)}
      WHERE _part = ${text(part)} AND NOT ignore(*)`)
    return numberIn(read, 'rows') === rows
  } catch (error) {
    if (isAboutFiles(error)) return false
    throw error
  }
}

async function partsOf(engine: Engine, { database, name }: Table): Promise<readonly string[]> {
  const result = await engine.ask(sql`
    SELECT name FROM system.parts
    WHERE active AND database = ${text(database)} AND table = ${text(name)}`)
  return stringsIn(result, 'name')
}

/** False for a statement that ran out of time: it says nothing about the files. */
function isAboutFiles(error: unknown): boolean {
  return error instanceof EngineError && error.code !== SOCKET_TIMEOUT
}

function sqlName({ database, name }: Table) {
  return sql`${identifier(database)}.${identifier(name)}`
}
