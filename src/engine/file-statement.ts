import { basename, dirname, join } from 'node:path'
import { list, type Sql, sql, text } from '../sql/sql.js'

/** An insert of rows that are in files, in ClickHouse's format `Native`; the engine decides how it gets them. */
export interface FileStatement {
  readonly files: readonly RowFile[]
  readonly columns: readonly FileColumn[]
  readonly stores: StoredBatches
  write(source: RowSource): Sql
}

export interface StoredBatches {
  readonly dataset: string
  /** The hash of its only batch; 0 without an id. Undefined when there are several batches. */
  readonly batchHash: bigint | undefined
  /** The sequence numbers of the rows; some of them may have no row. */
  readonly numbers: readonly NumberRange[]
}

/** Sequence numbers, both included. */
export interface NumberRange {
  readonly first: bigint
  readonly last: bigint
}

/** A column of a file; the name and the type need no quotes. */
export interface FileColumn {
  readonly name: string
  readonly type: string
}

export interface RowFile {
  readonly path: string
  readonly rows: number
}

/** Expressions with which a statement reads the rows. */
export interface RowSource {
  /** A table expression for FROM with the columns of the files. */
  readonly rows: Sql
  /** The name of the file of a row. */
  readonly file: Sql
  readonly threads: number
  /** True when a part of one granule gets its indexes from the first merge. */
  readonly leavesIndexes: boolean
}

/** Returns the source for files that the engine opens itself. */
export function localSource({ files, columns }: FileStatement): RowSource {
  return {
    rows: sql`file(${text(pattern(files))}, Native, ${structure(columns)}, 'none')`,
    file: files.length === 1 ? sql`''` : sql`toString(_file)`,
    threads: files.length > 1 ? 2 : 1,
    leavesIndexes: true,
  }
}

function structure(columns: readonly FileColumn[]): Sql {
  return text(columns.map(({ name, type }) => `${name} ${type}`).join(', '))
}

function pattern(files: readonly RowFile[]): string {
  const [first] = files
  if (first === undefined) return ''
  if (files.length === 1) return first.path
  return join(dirname(first.path), `{${files.map(({ path }) => basename(path)).join(',')}}`)
}

/** Returns the source for concatenated files that are sent with the request. */
export function sentSource({ files, columns }: FileStatement): RowSource {
  const rows = sql`input(${structure(columns)})`
  // Rows are identified by their number: one thread keeps their order.
  const source = { rows, file: sql`''`, threads: 1, leavesIndexes: false }
  if (files.length === 1) return source
  const names = files.map(({ path }) => text(basename(path)))
  return {
    ...source,
    rows: sql`(SELECT *, rowNumberInAllBlocks() AS n FROM ${rows})`,
    file: sql`[${list(names)}][arrayCount(first -> first <= n, [${firstRows(files)}])]`,
  }
}

function firstRows(files: readonly RowFile[]): Sql {
  let next = 0
  const firsts = files.map(({ rows }) => {
    const first = next
    next += rows
    return sql`toUInt64(${first})`
  })
  return list(firsts)
}
