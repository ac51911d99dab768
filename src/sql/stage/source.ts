import type { CheckedDataset } from '../../apl/check/checked.js'
import type { TimeRange } from '../../apl/environment.js'
import type { Type } from '../../apl/type.js'
import { memoized } from '../../text/memoized.js'
import { pathKey } from '../../wire/json/field-path.js'
import { fromStart, type PageOrder, type PageStart } from '../cursor.js'
import type { LastUse } from '../last-use.js'
import {
  type FieldLayout,
  hasObject,
  type Layout,
  layoutsByName,
  objectsOf,
  type StoredLeaf,
} from '../layout.js'
import type { Cell, OrderKey, Rows } from '../rows.js'
import { identifier, raw, type Sql, sql } from '../sql.js'
import { LINE } from '../token-index.js'
import { nanoseconds } from '../type/convert.js'
import { constant, nullable } from '../value.js'
import { STORED_LINE, withText } from './event-source.js'
import { inText } from './event-text.js'

/** The dataset's layout, and the part of it that is read. */
interface SourceOptions {
  readonly layout: Layout
  readonly range: TimeRange
  readonly uses: LastUse
  readonly page?: PageStart & PageOrder
}

/** The times that every event has. */
const NEVER_NULL: readonly string[] = ['_time', '_sysTime']

/** Returns the events of a dataset: newest first, unless the layout has another order. */
export function source(dataset: CheckedDataset, options: SourceOptions): Rows {
  const { layout, range, uses, page } = options
  const fields = layoutsByName(layout)
  const columns = new Map<number, Cell>()
  for (const column of dataset.columns) {
    const field = fields.get(column.name)
    if (uses.has(column.id))
      columns.set(column.id, field ? cell(field, layout) : missing(column.type))
  }
  const time = dataset.columns.find(({ name }) => name === '_time')
  const read = fieldsRead(dataset, options)
  const merged = mergedLeaves(read, layout)
  const table = identifier(layout.table)
  const from = merged.length === 0 ? table : withText(table, merged)
  const start = page === undefined ? [] : fromStart(dataset.name, page)
  const filters = [...timeFilters(range), ...start]
  return { from, columns, filters, order: orderOf(layout, time?.id), hidden: 0 }
}

/** Returns the fields that a query reads. */
function fieldsRead(
  dataset: CheckedDataset,
  { layout, uses }: Pick<SourceOptions, 'layout' | 'uses'>,
): readonly FieldLayout[] {
  const fields = layoutsByName(layout)
  return dataset.columns.flatMap(({ id, name }) => (uses.has(id) ? (fields.get(name) ?? []) : []))
}

/** Returns the columns whose values are read from the text of events, and which the stored text lacks. */
function mergedLeaves(read: readonly FieldLayout[], layout: Layout): readonly StoredLeaf[] {
  return read.flatMap((field) => (isDivided(field, layout) ? [] : (field.inColumns ?? [])))
}

/** Returns the column with the stored text of events, without the values that only columns hold. */
export function storedLine(
  dataset: CheckedDataset,
  options: Pick<SourceOptions, 'layout' | 'uses'>,
): Sql {
  const merged = mergedLeaves(fieldsRead(dataset, options), options.layout)
  return merged.length === 0 ? raw(LINE) : STORED_LINE
}

const cells = memoized((_: Layout) => new Map<string, Cell>())

/** Returns the cell of a field. Cached per layout: each page of an export reads the same fields. */
function cell(field: FieldLayout, layout: Layout): Cell {
  const known = cells(layout)
  const made = known.get(field.name) ?? newCell(field, layout)
  known.set(field.name, made)
  return made
}

function newCell(field: FieldLayout, layout: Layout): Cell {
  if (field.column === undefined) {
    const objects = objectsOf(layout)
    const hasMembers = field.paths.some((path) => hasObject(objects, path))
    return inText({ ...field, hasMembers, isDivided: isDivided(field, layout) })
  }
  const column = identifier(field.column)
  if (field.type === 'dynamic' && field.paths.length > 0) return arrayCell(column)
  const isNullable = !NEVER_NULL.includes(field.column)
  return { kind: 'stored', value: { sql: column, type: field.type, nullable: isNullable } }
}

/** An array is stored as it is in its event: its value is the same JSON text as the engine writes it. */
function arrayCell(column: Sql): Cell {
  const json = { document: column, path: [] }
  const written = nullable('dynamic', sql`JSONExtractRaw(${column})`)
  const value = { ...written, json, text: written.sql }
  return { kind: 'text', carrier: column, value }
}

/**
 * True for a field whose values are in columns in some rows and in the remainders in others, without the values of other fields in
 * them. Arrays in columns are merged into the text of events: they are not in the form in which the engine writes values.
 */
function isDivided({ column, type, paths, inColumns = [] }: FieldLayout, layout: Layout): boolean {
  const [path, ...others] = paths
  if (column !== undefined || type !== 'dynamic' || path === undefined || others.length > 0)
    return false
  const isOwn = (leaf: StoredLeaf): boolean =>
    leaf.type !== 'dynamic' && pathKey(leaf.path) === pathKey(path)
  return inColumns.length > 0 && inColumns.every(isOwn) && !hasObject(objectsOf(layout), path)
}

/** A field that was removed after the query was checked. */
function missing(type: Type): Cell {
  return { kind: 'computed', value: constant(type, null) }
}

export function timeFilters({ start, end }: TimeRange): readonly Sql[] {
  const filters: Sql[] = []
  if (start !== undefined) filters.push(comparedTime(sql`>=`, start))
  if (end !== undefined) filters.push(comparedTime(sql`<`, end))
  return filters
}

/** Compares `_time` with a time in nanoseconds since 1970. Servers of a cluster refuse constants before 1970 from each other. */
function comparedTime(operator: Sql, time: bigint): Sql {
  if (time < 0n) return sql`(${nanoseconds(sql`\`_time\``)} ${operator} ${time})`
  return sql`(\`_time\` ${operator} ${constant('datetime', time).sql})`
}

function orderOf({ order }: Layout, time: number | undefined): readonly OrderKey[] {
  if (order !== 'arrival') return newestFirst(time)
  const oldestFirst = newestFirst(time).map((key): OrderKey => ({ ...key, direction: 'asc' }))
  return oldestFirst.reverse()
}

function newestFirst(time: number | undefined): readonly OrderKey[] {
  const byTime: OrderKey = { sql: identifier('_time'), direction: 'desc', instant: true }
  return [
    time === undefined ? byTime : { ...byTime, column: time },
    { sql: identifier('_seq'), direction: 'desc', arrival: true },
  ]
}
