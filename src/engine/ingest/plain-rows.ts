import { list, raw, type Sql, sql } from '../../sql/sql.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Dataset } from '../catalog/dataset.js'
import { Extraction, extractOne } from '../catalog/extraction.js'
import { columnValue, storedType, type TypedColumn } from '../catalog/typed-column.js'
import { storedText } from './lean-check.js'
import type { PlainScan } from './scanned-lines.js'
import { timeOfEvent, timeOfText } from './time-column.js'

// The lines have been checked by a scan: they need no guard except for their time, and each value has the type of its
// column. Extracting values with their types takes half as long as finding out what they are.

/** The rows that a statement stores. */
export interface StoredRows {
  /** A query for `row`, `file`, `override_kind`, `time` and the columns that the other expressions refer to. */
  readonly rows: Sql
  readonly typed: readonly { readonly column: TypedColumn; readonly value: Sql }[]
  /** A condition for events that must not be stored; missing when there are none. */
  readonly unexpected?: Sql
  /** `line` as it is stored, for expected events. */
  readonly storedLine: Sql
}

interface PlainRowsOptions {
  readonly dataset: Dataset
  readonly terms: EventOptions
  readonly timeForms: ReadonlySet<TimeForm>
  readonly scan: PlainScan
  readonly arrivedAt: Sql
  /** A query for the lines. */
  readonly lines: Sql
}

/** Returns the rows of files whose lines are all plain events. */
export function plainRows(options: PlainRowsOptions): StoredRows {
  const { dataset, terms, timeForms, scan, arrivedAt, lines } = options
  const extraction = new Extraction(new Set())
  const typedValue = (type: TypedColumn['type'], path: FieldPath): Sql =>
    extraction.readAs(path, storedType(type, { isLowCardinality: false })) ??
    columnValue(type, extractOne(path))
  const isText = scan.hasEngineTimes && terms.timeFormat === undefined
  const times = timePaths(terms.timestampField).map((path, i) => ({
    path,
    name: raw(`time${i}`),
    read: isText ? typedValue('string', path) : extraction.read(path),
  }))
  const dynamic = new Set(isText ? [] : times.map(({ path }) => pathKey(path)))
  const typed = dataset.typedPaths().map(({ column, known: { path } }, i) => ({
    column,
    value: raw(`value${i}`),
    read: dynamic.has(pathKey(path))
      ? columnValue(column.type, extraction.read(path))
      : typedValue(column.type, path),
  }))
  const values = times.map(({ path, name }) => ({ path, value: name }))
  const time = isText
    ? timeOfText(
        times.map(({ name }) => name),
        arrivedAt,
      )
    : timeOfEvent(values, arrivedAt, { forms: timeForms, format: terms.timeFormat })
  const elements = [
    ...times.map(({ name, read }) => sql`${read} AS ${name}`),
    ...typed.map(({ value, read }) => sql`${read} AS ${value}`),
  ]
  return {
    rows: sql`
      SELECT *, ${time} AS time
      FROM (
        SELECT * EXCEPT event, ${list(elements)}
        FROM (SELECT *, ${extraction.statement()} AS event FROM (${lines})))`,
    typed,
    unexpected: sql`isNull(time)`,
    storedLine: storedText([]),
  }
}
