import { basename, dirname, join } from 'node:path'
import { list, type Sql, sql, text } from '../../sql/sql.js'

/** A statement over the lines of files; only the engine knows how they get to it. */
export interface FileStatement {
  readonly files: readonly LineFile[]
  /** A file with `row`, `verdict` and `judgedTime` of some lines, separated by tabs. */
  readonly overrides?: string
  write(source: LineSource): Sql
}

/** A file of lines that a statement reads. */
export interface LineFile {
  readonly path: string
  /** How many physical lines it has. */
  readonly lines: number
}

/** Where a statement finds the lines. */
export interface LineSource {
  /** Stands behind FROM and has the column `text`. */
  readonly lines: Sql
  /** The line's number in its file, from 0. */
  readonly row: Sql
  /** The name of its file. */
  readonly file: Sql
  /** Stands behind FROM and has the columns of the verdicts. */
  readonly overrides: Sql | undefined
  readonly threads: number
}

/** Files that the engine opens itself. */
export function localSource({ files, overrides }: FileStatement): LineSource {
  return {
    lines: sql`file(${text(pattern(files))}, LineAsString, 'text String', 'none')`,
    row: sql`toUInt64(assumeNotNull(_row_number))`,
    file: sql`toString(_file)`,
    overrides:
      overrides === undefined
        ? undefined
        : sql`file(${text(overrides)}, TabSeparated, ${OVERRIDE_COLUMNS}, 'none')`,
    threads: files.length > 1 ? 2 : 1,
  }
}

function pattern(files: readonly LineFile[]): string {
  const [first] = files
  if (first === undefined) return ''
  if (files.length === 1) return first.path
  return join(dirname(first.path), `{${files.map(({ path }) => basename(path)).join(',')}}`)
}

/** Lines of files one after the other, as they come with the request; `verdicts` is the text of that file. */
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
    // Lines are told apart by their number, so nothing may change their order.
    threads: 1,
  }
}

const OVERRIDE_COLUMNS = sql`'row UInt64, verdict UInt8, judgedTime Int64'`

function firstRows(files: readonly LineFile[]): Sql {
  let next = 0
  const firsts = files.map(({ lines }) => {
    const first = next
    next += lines
    return sql`toUInt64(${first})`
  })
  return list(firsts)
}
