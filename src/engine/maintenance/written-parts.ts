import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { list, type Sql, sql, text } from '../../sql/sql.js'
import { errorCode } from '../../text/system-error.js'
import { DATASETS, METADATA } from '../catalog/database.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { isReadable } from './damage.js'
import { type Table, tableIdIn } from './table-parts.js'

// The embedded engine ignores the error of each write to a file: on a disk that fails, or beyond a quota or a limit of file sizes, an
// insert or a merge succeeds and leaves a part with files that are too short. A server reports such an error.

/** A part as the engine believes to have written it. */
export interface WrittenPart {
  readonly table: Table
  readonly name: string
  readonly path: string
  /** The size of its files except `UNCOUNTED`. */
  readonly bytes: number
}

/** The files of a part that its number of bytes does not include; they are never empty. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'checksums.txt',
  'columns.txt',
  'columns_substreams.txt',
  'default_compression_codec.txt',
  'metadata_version.txt',
])

/** A condition for the parts of inserts that no deletion has rewritten; `level` is 1 in tables whose merges combine rows. */
const IS_INSERT = sql`min_block_number = max_block_number AND data_version = min_block_number`

/** So many seconds more are looked back: the engine's times are whole seconds, and a clock may be corrected. */
const MARGIN_SECONDS = 5

/** Finds the parts that the engine could not write. */
export class WrittenParts {
  private readonly engine: Engine
  /** The parts that are complete or were handled, by the query that finds them: each with its time, since a merge may be repeated. */
  private readonly known = new Map<string, ReadonlySet<string>>()

  constructor(engine: Engine) {
    this.engine = engine
  }

  /**
   * Calls `handle` with each incomplete part that inserts into tables, by default all of a database, have made since a time of
   * `performance.now()`.
   */
  inserted(
    { database, tables }: { readonly database: string; readonly tables?: readonly string[] },
    since: number,
    handle: (part: WrittenPart) => Promise<void>,
  ): Promise<void> {
    const isOfTable = tables === undefined ? sql`true` : sql`table IN (${list(tables.map(text))})`
    const condition = sql`database = ${text(database)} AND ${isOfTable} AND ${IS_INSERT}`
    return this.forEach(database, sql`${condition} AND ${madeSince(since)}`, handle)
  }

  /** Calls `handle` with each incomplete part that merges and changes of events have made since a time of `performance.now()`. */
  rewritten(since: number, handle: (part: WrittenPart) => Promise<void>): Promise<void> {
    const condition = sql`
      database IN (${text(DATASETS)}, ${text(METADATA)}) AND active AND NOT (${IS_INSERT})`
    return this.forEach('', sql`${condition} AND ${madeSince(since)}`, handle)
  }

  private async forEach(
    key: string,
    condition: Sql,
    handle: (part: WrittenPart) => Promise<void>,
  ): Promise<void> {
    const result = await this.engine.ask(sql`
      SELECT database, table, name, path, toString(bytes_on_disk) AS bytes,
        concat(path, toString(modification_time)) AS made
      FROM system.parts WHERE ${condition}`)
    const rows = rowsIn(result, 'database', 'table', 'name', 'path', 'bytes', 'made')
    for (const { database, table, name, path, bytes, made } of rows) {
      const id = tableIdIn(path)
      if (id === undefined || this.known.get(key)?.has(made)) continue
      const part = { table: { id, database, name: table }, name, path, bytes: Number(bytes) }
      if (!(await this.isComplete(part))) await handle(part)
    }
    this.known.set(key, new Set(rows.map(({ made }) => made)))
  }

  private async isComplete({ table, name, path, bytes }: WrittenPart): Promise<boolean> {
    let found = 0
    try {
      for (const file of await readdir(path)) {
        const { size } = await stat(join(path, file))
        if (!UNCOUNTED.has(file)) found += size
        else if (size === 0) return false
      }
    } catch (error) {
      // The part was merged and removed in the meantime.
      if (errorCode(error) === 'ENOENT') return true
      throw error
    }
    // Another version of the engine may count other files.
    return found >= bytes || (await isReadable(this.engine, table, name))
  }
}

function madeSince(time: number): Sql {
  const seconds = Math.ceil((performance.now() - time) / 1000) + MARGIN_SECONDS
  return sql`modification_time >= now() - ${seconds}`
}
