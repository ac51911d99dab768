import { basename, dirname, join } from 'node:path'
import { list, type Sql, sql, text } from '../sql/sql.js'

/** A statement that reads the lines of files; the engine decides how it gets them. */
export interface FileStatement {
  readonly files: readonly LineFile[]
  /** Given when the files have these columns, in ClickHouse's format `Native`, instead of lines. Only for an engine with `readsColumns`. */
  readonly columns?: readonly FileColumn[]
  /** The path of a tab-separated file with `row`, `override_kind` and `override_time` of some lines. */
  readonly overrides?: string
  /** Given for an insert. */
  readonly stores?: StoredBatches
  write(source: LineSource): Sql
}

/** The batches that an insert stores. */
export interface StoredBatches {
  readonly dataset: string
  /** The hash of its only batch; 0 without an id. Undefined when there are several batches. */
  readonly batchHash: bigint | undefined
}

/** A column of a file; the name and the type need no quotes. */
interface FileColumn {
  readonly name: string
  readonly type: string
}

/** A file of lines that a statement reads. */
export interface LineFile {
  readonly path: string
  /** Number of lines, including blank ones. */
  readonly lines: number
}

/** Expressions with which a statement reads the lines. */
export interface LineSource {
  /** A table expression for FROM with the column `text`, or with the columns of the files. */
  readonly lines: Sql
  /** The number of the line in its file, from 0. */
  readonly row: Sql
  /** The name of its file. */
  readonly file: Sql
  /** A table expression for FROM with the columns of the overrides. */
  readonly overrides: Sql | undefined
  readonly threads: number
}

/** Returns the source for files that the engine opens itself. */
export function localSource({ files, columns, overrides }: FileStatement): LineSource {
  return {
    lines: sql`file(${text(pattern(files))}, ${formatOf(columns)}, 'none')`,
    row: sql`toUInt64(assumeNotNull(_row_number))`,
    file: sql`toString(_file)`,
    overrides:
      overrides === undefined
        ? undefined
        : sql`file(${text(overrides)}, TabSeparated, ${OVERRIDE_COLUMNS}, 'none')`,
    threads: files.length > 1 ? 2 : 1,
  }
}

function formatOf(columns: readonly FileColumn[] | undefined): Sql {
  if (columns === undefined) return sql`LineAsString, 'text String'`
  return sql`Native, ${text(columns.map(({ name, type }) => `${name} ${type}`).join(', '))}`
}

function pattern(files: readonly LineFile[]): string {
  const [first] = files
  if (first === undefined) return ''
  if (files.length === 1) return first.path
  return join(dirname(first.path), `{${files.map(({ path }) => basename(path)).join(',')}}`)
}

/** Returns the source for concatenated files that are sent with the request; `overrides` is the content of that file. */
export function sentSource(
  { files }: FileStatement,
  { lines, overrides }: { readonly lines: Sql; readonly overrides: string | undefined },
): LineSource {
  const firsts = firstRows(files)
  const nth = sql`arrayCount(first -> first <= n, [${firsts}])`
  const names = sql`[${list(files.map(({ path }) => text(basename(path))))}]`
  const isOne = files.length === 1
  return {
    lines: sql`(SELECT text, rowNumberInAllBlocks() AS n FROM ${lines})`,
    row: isOne ? sql`n` : sql`n - [${firsts}][${nth}]`,
    file: isOne ? sql`''` : sql`${names}[${nth}]`,
    overrides:
      overrides === undefined
        ? undefined
        : sql`format(TabSeparated, ${OVERRIDE_COLUMNS}, ${text(overrides)})`,
    // Lines are identified by their number: their order must not change.
    threads: 1,
  }
}

const OVERRIDE_COLUMNS = sql`'row UInt64, override_kind UInt8, override_time Int64'`

function firstRows(files: readonly LineFile[]): Sql {
  let next = 0
  const firsts = files.map(({ lines }) => {
    const first = next
    next += lines
    return sql`toUInt64(${first})`
  })
  return list(firsts)
}
