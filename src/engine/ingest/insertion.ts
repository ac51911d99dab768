import { basename } from 'node:path'
import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import { readLeaves } from '../../wire/json/json-line.js'
import { hashSql } from '../batch-hash.js'
import type { Dataset } from '../catalog/dataset.js'
import { columnName, nullableType } from '../catalog/typed-column.js'
import type { SequenceRange } from '../cluster/sequence.js'
import type { FileStatement, RowSource } from '../file-statement.js'
import { fileColumns } from './event-fields.js'
import { blockColumns } from './scan/scan-columns.js'

interface Insertion {
  readonly dataset: Dataset
  /** The fields added to each event, as members of a JSON object without braces. */
  readonly labels: string | undefined
  readonly files: readonly InsertionFile[]
}

export interface InsertionFile {
  readonly path: string
  readonly rows: number
  readonly sequence: SequenceRange
  /** The batches of the file in order; several only when it is the only file. */
  readonly parts: readonly FilePart[]
}

/** The lines of one batch in a file. */
export interface FilePart {
  readonly firstRow: number
  readonly arrivedAt: bigint
  /** Stored with each row; 0 for a batch without an id. */
  readonly batchHash: bigint
}

// A block becomes one part, which is visible completely or not at all.
const ONE_PART = sql`
  async_insert = 0, max_insert_threads = 1,
  min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 100000000000`

/** Indexes exclude granules: a part of one granule gains nothing from their files, each of which takes a call of `fsync`. */
const GRANULE_ROWS = 8192
const NO_INDEXES = sql`, materialize_skip_indexes_on_insert = 0`

const FIXED_COLUMNS = ['_time', '_sysTime', '_seq', '_batch', 'line'].map(identifier)

/** Returns a statement that stores all events of the files as one part. */
export function insertStatement(insertion: Insertion): FileStatement {
  const { dataset, files } = insertion
  const [part, ...others] = files.flatMap(({ parts }) => parts)
  const batchHash = others.length > 0 ? undefined : part?.batchHash
  return {
    files: files.map(({ path, rows }) => ({ path, rows })),
    columns: blockColumns(fileColumns(dataset).scanned),
    stores: { dataset: dataset.name, batchHash },
    write: (source) => insert(insertion, source),
  }
}

function insert({ dataset, labels, files }: Insertion, source: RowSource): Sql {
  const typed = fileColumns(dataset).list
  const added = labelValues(dataset, labels)
  const values = typed.map(({ path }, i) => added.columns.get(pathKey(path)) ?? raw(`c${i}`))
  const columns = typed.map(({ column }) => identifier(columnName(column)))
  const indexes = source.leavesIndexes && isOneGranule(files) ? NO_INDEXES : sql``
  return sql`
    INSERT INTO ${identifier(dataset.name)} (${list([...FIXED_COLUMNS, ...columns])})
    SELECT ${list([
      sql`time`,
      sql`fromUnixTimestamp64Nano(toInt64(${perPart(files, ({ arrivedAt }) => sql`${arrivedAt}`)}), 'UTC')`,
      sequenceNumber(files),
      perPart(files, ({ batchHash }) => hashSql(batchHash)),
      withMembers(added.rest),
      ...values,
    ])}
    FROM (SELECT *, ${source.file} AS file FROM ${source.rows})
    SETTINGS ${ONE_PART}, max_threads = ${source.threads}${indexes}`
}

function isOneGranule(files: readonly InsertionFile[]): boolean {
  return files.reduce((sum, { rows }) => sum + rows, 0) <= GRANULE_ROWS
}

interface LabelValues {
  /** The values of columns, by the key of their path. */
  readonly columns: ReadonlyMap<string, Sql>
  /** The labels that no column holds, as members of a JSON object. */
  readonly rest: readonly string[]
}

/** Returns the values of labels, which the dataset must expect. */
function labelValues(dataset: Dataset, labels = ''): LabelValues {
  const typed = fileColumns(dataset).byPath
  const columns = new Map<string, Sql>()
  const rest: string[] = []
  for (const { path, form, text: written } of readLeaves(`{${labels}}`)) {
    const [key = ''] = path
    const value = form === 'string' ? JSON.stringify(written) : written
    const column = typed.get(pathKey(path))?.column
    if (column === undefined) rest.push(`${JSON.stringify(key)}:${value}`)
    else {
      const label = text(`{"v":${value}}`)
      columns.set(
        pathKey(path),
        sql`JSONExtract(${label}, 'v', ${text(nullableType(column.type))})`,
      )
    }
  }
  return { columns, rest }
}

/** Returns the remainder of an event with more members in front of it. */
function withMembers(members: readonly string[]): Sql {
  if (members.length === 0) return sql`line`
  const all = members.join(',')
  const rest = sql`trimLeft(substring(line, 2))`
  return sql`multiIf(empty(line), ${text(`{${all}}`)}, startsWith(${rest}, '}'), concat(${text(`{${all}`)}, ${rest}), concat(${text(`{${all},`)}, ${rest}))`
}

function sequenceNumber(files: readonly InsertionFile[]): Sql {
  const first = perFile(files, ({ sequence }) => sql`${sequence.first}`)
  const step = files[0]?.sequence.step ?? 1n
  return step === 1n ? sql`toUInt64(${first}) + row` : sql`toUInt64(${first}) + row * ${step}`
}

/** Returns an expression for a value that is the same for all rows of a batch. */
function perPart(files: readonly InsertionFile[], value: (part: FilePart) => Sql): Sql {
  const parts = files[0]?.parts ?? []
  if (files.length > 1 || parts.length === 1) {
    return perFile(files, ({ parts: [part] }) => value(part!))
  }
  const values = parts.map(value)
  const [first] = values
  if (first !== undefined && values.every((one) => one.text === first.text)) return first
  const firstRows = parts.map(({ firstRow }) => sql`${firstRow}`)
  return sql`[${list(values)}][arrayCount(first -> first <= row, [${list(firstRows)}])]`
}

/** Returns an expression for a value that is the same for all rows of a file. */
function perFile(files: readonly InsertionFile[], value: (file: InsertionFile) => Sql): Sql {
  const [first, ...others] = files.map(value)
  if (first === undefined) throw new Error('an insertion has files')
  if (others.length === 0) return first
  const names = files.map(({ path }) => text(basename(path)))
  return sql`transform(file, [${list(names)}], [${list([first, ...others])}], ${first})`
}
