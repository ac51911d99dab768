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
/** The files that are made again. */
const REMADE =
  /^(?:count\.txt|primary\.c?idx|checksums\.txt|skp_idx_.*|statistics.*|default_compression_codec\.txt|metadata_version\.txt)$/

const UNSORTED_NAME = 'repair_unsorted'
const UNSORTED = sql`${identifier(METADATA)}.${identifier(UNSORTED_NAME)}`
const SORTED = sql`${identifier(METADATA)}.repair_sorted`

/** The name of the part in the table without a sort key. */
const PART = 'all_0_0_0'

interface DetachedPart {
  readonly table: Table
  /** The folder of the engine. */
  readonly directory: string
  /** The name of the part's folder among the detached parts of its table. */
  readonly folder: string
  readonly rows: number
}

/**
 * Adds the rows of a detached part to its table again when all of them can be read; otherwise its folder stays as it is. The rows are
 * read in a table without a sort key, and stored in a table with the right one, whose parts are attached all at once. The caller ensures
 * that nothing is stored in the table meanwhile. Resolves with true when the rows are in the table.
 */
export async function repairPart(
  engine: Engine,
  { table, directory, folder, rows }: DetachedPart,
): Promise<boolean> {
  const files = join(detachedFolder(directory, table), folder)
  if (await hasEmptyColumn(files)) return false
  // Without SYNC: a check that has failed may still hold the table.
  const drop = async () => {
    for (const one of [UNSORTED, SORTED]) await engine.run(sql`DROP TABLE IF EXISTS ${one}`)
  }
  await drop()
  try {
    await engine.run(
      sql`CREATE TABLE ${UNSORTED} AS ${sqlName(table)} ENGINE = MergeTree ORDER BY tuple()`,
    )
    await linkPart(files, { to: detachedFolder(directory, await unsortedTable(engine)), rows })
    if (!(await isIntact(engine, rows))) return false
    await engine.run(sql`CREATE TABLE ${SORTED} AS ${sqlName(table)}`)
    // Rows with the same key are combined by merges only, as in the damaged part.
    await engine.run(sql`
      INSERT INTO ${SORTED} SELECT * FROM ${UNSORTED} SETTINGS optimize_on_insert = 0`)
    await engine.run(sql`ALTER TABLE ${sqlName(table)} ATTACH PARTITION tuple() FROM ${SORTED}`)
  } finally {
    await drop()
  }
  await rm(files, { recursive: true })
  return true
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

async function unsortedTable(engine: Engine): Promise<Table> {
  const [database, name] = [METADATA, UNSORTED_NAME]
  const result = await engine.ask(sql`
    SELECT toString(uuid) AS id FROM system.tables
    WHERE database = ${text(database)} AND name = ${text(name)}`)
  return { id: stringsIn(result, 'id')[0] ?? '', database, name }
}

/** Makes a detached part of links to the files of another one. */
async function linkPart(
  files: string,
  { to, rows }: { readonly to: string; readonly rows: number },
): Promise<void> {
  const part = join(to, PART)
  await mkdir(part)
  for (const file of await readdir(files)) {
    if (!REMADE.test(file)) await link(join(files, file), join(part, file))
  }
  await writeFile(join(part, COUNT), `${rows}`)
}

/** Attaches the part to the table without a sort key, compares its checksums and reads all of its columns. */
async function isIntact(engine: Engine, rows: number): Promise<boolean> {
  try {
    await engine.run(sql`ALTER TABLE ${UNSORTED} ATTACH PART ${text(PART)}`)
    const check = await engine.ask(
      sql`CHECK TABLE ${UNSORTED} SETTINGS check_query_single_value_result = 0`,
    )
    if (numberIn(check, 'is_passed') !== 1) return false
    const read = await engine.ask(sql`SELECT count() AS rows FROM ${UNSORTED} WHERE NOT ignore(*)`)
    return numberIn(read, 'rows') === rows
  } catch (error) {
    // A timeout says nothing about the files.
    if (error instanceof EngineError && !hasCode(error, 'SOCKET_TIMEOUT')) return false
    throw error
  }
}
