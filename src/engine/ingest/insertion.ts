import { basename } from 'node:path'
import { identifier, joined, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { hashSql } from '../batch-hash.js'
import type { Dataset } from '../catalog/dataset.js'
import { Extraction } from '../catalog/extraction.js'
import { columnName, columnValue, losesValue } from '../catalog/typed-column.js'
import type { SequenceRange } from '../cluster/sequence.js'
import type { FileStatement, LineSource } from '../file-statement.js'
import type { LineCounts } from '../line-reader.js'
import { columnRows } from './column-rows.js'
import { storedText } from './lean-check.js'
import { plainRows, type StoredRows } from './plain-rows.js'
import { nativeColumns, type ScanColumn } from './scan/scan-columns.js'
import type { PlainScan } from './scanned-lines.js'
import { MAY_HAVE_TOO_MANY_KEYS, schemaCheckOf } from './schema-check.js'
import { timeOfEvent } from './time-column.js'

/** Files of one dataset to store in one statement. */
export interface Insertion {
  readonly dataset: Dataset
  readonly terms: EventOptions
  /** The time formats of the dataset's events, in addition to those that the engine reads by itself. */
  readonly timeForms: ReadonlySet<TimeForm>
  readonly files: readonly InsertionFile[]
  /** The path of the row overrides; only with a single file. */
  readonly overrides?: string
  /** Given when all lines are plain events: then there is no schema check. Not with overrides. */
  readonly plain?: PlainScan
  /** Given when the files have these columns instead of lines, each file for a single batch. Not with overrides. */
  readonly columns?: readonly ScanColumn[]
  /** Uses the full schema check; without it, events that the fast check can't pass count as unexpected. */
  readonly isFullCheck?: boolean
}

/** A file of events to store. */
export interface InsertionFile {
  readonly path: string
  readonly counts: LineCounts
  /** The sequence numbers of its lines. */
  readonly sequence: SequenceRange
  /** The batches of the file in order; several only when it is the only file. */
  readonly parts: readonly FilePart[]
}

/** The lines of one batch in a file. */
export interface FilePart {
  readonly firstRow: number
  readonly events: number
  readonly arrivedAt: bigint
  /** Stored with each row; 0 for a batch without an id. */
  readonly batchHash: bigint
}

/** The kinds of row overrides; 0 is a line without one. */
export const OVERRIDE = { drop: 1, timed: 2, passed: 3 } as const

/** ClickHouse's error code for `throwIf`: some event is unexpected. */
export const UNEXPECTED_EVENT_CODE = 395

// A block becomes one part, which is visible completely or not at all.
const ONE_PART = sql`
  async_insert = 0, max_insert_threads = 1,
  min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 100000000000`

// Short-circuit evaluation of a hundred conditions costs more than evaluating all of them.
const EAGER = sql`short_circuit_function_evaluation = 'disable'`

/** Returns a statement that stores all events of the files as one part, or fails when one of them is unexpected. */
export function insertStatement(insertion: Insertion): FileStatement {
  const { dataset, files } = insertion
  const [part, ...others] = files.flatMap(({ parts }) => parts)
  const batchHash = others.length > 0 ? undefined : part?.batchHash
  return {
    ...fileStatement(insertion, (source) => insert(insertion, source)),
    stores: { dataset: dataset.name, batchHash },
  }
}

function insert(insertion: Insertion, source: LineSource): Sql {
  const { dataset, files } = insertion
  const { rows, typed, unexpected, storedLine } = storedRows(insertion, source)
  const columns = typed.map(({ column }) => identifier(columnName(column)))
  return sql`
    INSERT INTO ${identifier(dataset.name)} (${list([...FIXED_COLUMNS, ...columns])})
    SELECT ${list([
      sql`time`,
      sql`fromUnixTimestamp64Nano(${arrivedAt(files)}, 'UTC')`,
      sequenceNumber(files),
      perPart(files, ({ batchHash }) => hashSql(batchHash)),
      storedLine,
      ...typed.map(({ value }) => value),
    ])}
    FROM (${rows})
    ${unexpected === undefined ? sql`` : sql`WHERE NOT throwIf(${unexpected}, 'unexpected event') AND override_kind != ${OVERRIDE.drop}`}
    SETTINGS ${list([ONE_PART, EAGER])}, max_threads = ${source.threads}`
}

function storedRows(insertion: Insertion, source: LineSource): StoredRows {
  const { plain: scan, columns, dataset, files, terms } = insertion
  if (columns !== undefined) {
    return columnRows({
      dataset,
      labels: terms.labels,
      columns,
      rows: source.lines,
      file: source.file,
    })
  }
  if (scan === undefined) return parsedRows(insertion, source)
  return plainRows({
    ...insertion,
    scan,
    arrivedAt: arrivedAt(files),
    lines: lines(insertion, source),
  })
}

const FIXED_COLUMNS = ['_time', '_sysTime', '_seq', '_batch', 'line'].map(identifier)

/** Returns a query for the rows of unexpected events in a single file, from 0. */
export function unexpectedLines(insertion: Insertion, limit: number): FileStatement {
  return fileStatement(insertion, (source) => {
    const { rows, unexpected } = parsedRows(insertion, source)
    return sql`SELECT row FROM (${rows}) WHERE ${unexpected} ORDER BY row LIMIT ${limit} SETTINGS ${EAGER}`
  })
}

function fileStatement(
  { files, overrides, columns }: Insertion,
  write: FileStatement['write'],
): FileStatement {
  return {
    files: files.map(({ path, counts }) => ({ path, lines: counts.lines })),
    columns: columns && nativeColumns(columns),
    overrides,
    write,
  }
}

// Analyzing this statement takes the engine longer than storing a hundred events. Each step gives short names to the
// expressions that the next one uses, so that none is analyzed twice.
function parsedRows(
  insertion: Insertion,
  source: LineSource,
): StoredRows & { readonly unexpected: Sql } {
  const { dataset, files, terms, timeForms } = insertion
  const { timestampField, timeFormat } = terms
  const check = schemaCheckOf(dataset, timestampField)
  const extraction = new Extraction(check.leafKeys)
  const times = timePaths(timestampField).map((path, i) => ({
    path,
    name: raw(`time${i}`),
    read: extraction.read(path),
  }))
  const typed = dataset.typedPaths().map(({ column, known }, i) => {
    const found = raw(`found${i}`)
    const value = raw(`value${i}`)
    return {
      column,
      found,
      value,
      read: extraction.read(known.path),
      isLost: losesValue({ column, kinds: known.kinds, found, value }),
    }
  })
  const fast = insertion.isFullCheck === true ? undefined : check.fast
  const time = timeOfEvent(
    times.map(({ path, name }) => ({ path, value: name })),
    arrivedAt(files),
    { forms: timeForms, format: timeFormat },
  )
  const nullable = (fast === undefined ? [] : check.text.nullable).map((path, i) => ({
    name: raw(`text${i}`),
    read: extraction.read(path),
  }))
  const elements = [
    ...times,
    ...typed.map((one) => ({ name: one.found, read: one.read })),
    ...nullable,
  ].map(({ name, read }) => sql`${read} AS ${name}`)
  const needsText =
    fast === undefined
      ? check.fullNeedsText
      : [...fast.needsText, ...nullable.map(({ name }) => sql`isNotNull(${name})`)]
  const found = sql`
    SELECT * EXCEPT event, ${list(elements)}
    FROM (SELECT *, ${list([sql`${extraction.statement()} AS event`, ...(fast?.columns ?? [])])} FROM (${lines(insertion, source)}))`
  const values = typed.map((one) => sql`${columnValue(one.column.type, one.found)} AS ${one.value}`)
  const timed = sql`if(override_kind = ${OVERRIDE.timed}, fromUnixTimestamp64Nano(override_time, 'UTC'), ${time}) AS time`
  const conditions = [
    sql`isNull(time)`,
    ...typed.map(({ isLost }) => isLost),
    fast?.isUnexpected ?? check.full,
    ...(check.isOpen ? [sql`override_kind = 0 AND ${MAY_HAVE_TOO_MANY_KEYS}`] : []),
  ]
  const isUnexpected = joined(
    conditions.map((one) => sql`(${one})`),
    ' OR ',
  )
  return {
    rows: sql`SELECT *, ${list([timed, ...values])} FROM (${found})`,
    typed,
    unexpected: sql`override_kind != ${OVERRIDE.drop} AND (${isUnexpected})`,
    storedLine: needsText === undefined ? sql`line` : storedText(needsText),
  }
}

function sequenceNumber(files: readonly InsertionFile[]): Sql {
  const first = perFile(files, ({ sequence }) => sql`toUInt64(${sequence.first})`)
  const step = files[0]?.sequence.step ?? 1n
  return step === 1n ? sql`${first} + row` : sql`${first} + row * ${step}`
}

function arrivedAt(files: readonly InsertionFile[]): Sql {
  return perPart(files, (part) => sql`toInt64(${part.arrivedAt})`)
}

function lines({ files, terms }: Insertion, { lines, row, file, overrides }: LineSource): Sql {
  const found = sql`
    SELECT ${labeled(lineText(files), terms)} AS line, ${row} AS row, ${file} AS file
    FROM ${lines}
    WHERE text NOT IN ('', '\\r')`
  if (overrides === undefined)
    return sql`SELECT *, 0 AS override_kind, 0 AS override_time FROM (${found})`
  return sql`
    SELECT * FROM (${found}) AS found LEFT ANY JOIN (
      SELECT * FROM ${overrides}
    ) AS overrides USING row`
}

function lineText(files: readonly InsertionFile[]): Sql {
  const trimmed = files.some(({ counts }) => counts.hasCarriageReturns)
    ? sql`trimRight(text, '\\r')`
    : sql`text`
  if (!files.some(({ counts }) => counts.hasByteOrderMark)) return trimmed
  return sql`if(startsWith(${trimmed}, '\\xEF\\xBB\\xBF') AND row = 0, substring(${trimmed}, 4), ${trimmed})`
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

/** Returns the text of a line with the labels of its batch in front of the event's fields. */
function labeled(line: Sql, { labels }: EventOptions): Sql {
  if (!labels) return line
  // White space may precede an element of an array and separate the braces of an event without fields.
  const event = sql`trimLeft(${line}, ' \\t\\r')`
  const comma = sql`if(match(${event}, '^[{][ \\t\\r]*[}]'), '', ',')`
  return sql`if(startsWith(${event}, '{'), concat(${text(`{${labels}`)}, ${comma}, substring(${event}, 2)), ${line})`
}
