import { link, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { identifier, sql, text } from '../../sql/sql.js'
import { METADATA } from '../catalog/database.js'
import { type Engine, EngineError, hasCode } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import { detachedFolder, sqlName, type Table } from './table-parts.js'

// The rows of a part are in the files of its columns, in blocks with checksums. Other files can be made again: the number of rows
// is known from the ledger, the engine computes checksums that are missing, and indexes and statistics only save time. The engine
// reads as many rows as the number says, so an unknown number can't be found by reading. It does not load a part without its
// primary index, except in a table without a sort key, whose parts have none.

/** The file with the number of rows. */
const COUNT = 'count.txt'
/** The attempts to attach a part, each with the files that it leaves out. */
const ATTEMPTS = [
  /^$/,
  /^(?:checksums\.txt|skp_idx_.*|statistics.*)$/,
  /^(?:checksums\.txt|skp_idx_.*|statistics.*|default_compression_codec\.txt|metadata_version\.txt)$/,
]
/** The files that are left out for a table without a sort key. */
const NEEDS_SORT_KEY =
  /^(?:primary\.c?idx|checksums\.txt|skp_idx_.*|statistics.*|default_compression_codec\.txt|metadata_version\.txt)$/

const UNSORTED_NAME = 'repair_unsorted'
const UNSORTED = sql`${identifier(METADATA)}.${identifier(UNSORTED_NAME)}`
const SORTED = sql`${identifier(METADATA)}.repair_sorted`

/** The name of a part that is being attached. Inserts are numbered from 1, so no other part has this name. */
const TRIAL = 'all_0_0_0'

interface DetachedPart {
  readonly table: Table
  /** The folder of the engine. */
  readonly directory: string
  /** The name of the part's folder among the detached parts of its table. */
  readonly folder: string
  readonly rows: number
}

/** A part as files that are attached in an attempt. */
interface Attempt {
  readonly table: Table
  /** The folder of the detached parts of the table. */
  readonly detached: string
  readonly files: string
  readonly rows: number
  readonly leftOut: RegExp
}

/**
 * Attaches a detached part again when all of its rows can be read; otherwise its folder stays as it is. The caller ensures that nothing
 * is stored in the table meanwhile. Resolves with true when it is attached.
 */
export async function repairPart(engine: Engine, part: DetachedPart): Promise<boolean> {
  const { table, rows } = part
  const detached = detachedFolder(part.directory, table)
  const files = join(detached, part.folder)
  if (await hasEmptyColumn(files)) return false
  // A merge would replace the attached part by another one.
  const merges = sql`MERGES ${sqlName(table)}`
  await engine.run(sql`SYSTEM STOP ${merges}`)
  try {
    for (const leftOut of ATTEMPTS) {
      const attempt = { table, detached, files, rows, leftOut }
      const name = await attach(engine, attempt)
      if (name === undefined) continue
      if (await isIntact(engine, attempt, name)) {
        await rm(files, { recursive: true })
        return true
      }
      await engine.run(sql`ALTER TABLE ${sqlName(table)} DETACH PART ${text(name)}`)
      await rm(join(detached, name), { recursive: true, force: true })
    }
    if (!(await copyRows(engine, part, files))) return false
    await rm(files, { recursive: true })
    return true
  } finally {
    await engine.run(sql`SYSTEM START ${merges}`)
  }
}

/**
 * True for a part with an empty file of values that must not be empty: without checksums, the engine would take the column for one
 * that the part does not have, or all of its values for default values. One of several files of a column may be empty, such as the
 * bytes of empty strings, but not the file that says which values of a sparse column are not the default.
 */
async function hasEmptyColumn(folder: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bin'))
  const columns = names.map((name) => name.split('.', 1)[0])
  const needed = names.filter(
    (name, at) =>
      name.endsWith('.sparse.idx.bin') ||
      columns.indexOf(columns[at]) === columns.lastIndexOf(columns[at]),
  )
  const sizes = await Promise.all(needed.map((name) => stat(join(folder, name))))
  return sizes.some(({ size }) => size === 0)
}

/**
 * Adds the rows of a part whose primary index is damaged to its table: reads them in a table without a sort key, and stores them in a
 * table with the right one, whose parts are attached all at once. Resolves with false when they can't be read.
 */
async function copyRows(
  engine: Engine,
  { table, directory, rows }: DetachedPart,
  files: string,
): Promise<boolean> {
  // Without SYNC: a check that has failed may still hold the table.
  const drop = async () => {
    for (const one of [UNSORTED, SORTED]) await engine.run(sql`DROP TABLE IF EXISTS ${one}`)
  }
  await drop()
  try {
    await engine.run(
      sql`CREATE TABLE ${UNSORTED} AS ${sqlName(table)} ENGINE = MergeTree ORDER BY tuple()`,
    )
    const unsorted = await unsortedTable(engine)
    const detached = detachedFolder(directory, unsorted)
    const attempt = { table: unsorted, detached, files, rows, leftOut: NEEDS_SORT_KEY }
    const name = await attach(engine, attempt)
    if (name === undefined || !(await isIntact(engine, attempt, name))) return false
    await engine.run(sql`CREATE TABLE ${SORTED} AS ${sqlName(table)}`)
    // Rows with the same key are combined by merges only, as in the damaged part.
    await engine.run(sql`
      INSERT INTO ${SORTED} SELECT * FROM ${UNSORTED} SETTINGS optimize_on_insert = 0`)
    await engine.run(sql`ALTER TABLE ${sqlName(table)} ATTACH PARTITION tuple() FROM ${SORTED}`)
    return true
  } finally {
    await drop()
  }
}

async function unsortedTable(engine: Engine): Promise<Table> {
  const [database, name] = [METADATA, UNSORTED_NAME]
  const result = await engine.ask(sql`
    SELECT toString(uuid) AS id FROM system.tables
    WHERE database = ${text(database)} AND name = ${text(name)}`)
  return { id: stringsIn(result, 'id')[0] ?? '', database, name }
}

/** Attaches links to the files of a part. Resolves with the name of the new part; undefined when the engine refuses the files. */
async function attach(
  engine: Engine,
  { table, detached, files, rows, leftOut }: Attempt,
): Promise<string | undefined> {
  const trial = join(detached, TRIAL)
  await rm(trial, { recursive: true, force: true })
  const others = new Set(await readdir(detached))
  await mkdir(trial)
  for (const file of await readdir(files)) {
    if (file === COUNT || leftOut.test(file)) continue
    await link(join(files, file), join(trial, file))
  }
  await writeFile(join(trial, COUNT), `${rows}`)
  const before = new Set(await partsOf(engine, table))
  try {
    await engine.run(sql`ALTER TABLE ${sqlName(table)} ATTACH PART ${text(TRIAL)}`)
  } catch (error) {
    // The engine renames the folder of a part that it refuses.
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
  { table, rows }: Pick<Attempt, 'table' | 'rows'>,
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
      SELECT count() AS rows FROM ${sqlName(table)}
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

/** False for a timeout, which says nothing about the files. */
function isAboutFiles(error: unknown): boolean {
  return error instanceof EngineError && !hasCode(error, 'SOCKET_TIMEOUT')
}
