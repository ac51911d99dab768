import type { CheckedUnion, Column, Constant, UnionPart } from '../../apl/check/checked.js'
import type { Type } from '../../apl/type.js'
import { hasEvents } from '../cursor.js'
import { datasetsOf } from '../datasets.js'
import type { LastUse } from '../last-use.js'
import {
  type Cell,
  columnName,
  named,
  type OrderKey,
  orderBy,
  type Rows,
  storedCell,
} from '../rows.js'
import { joined, list, raw, type Sql, sql, text } from '../sql.js'
import { convert } from '../type/convert.js'
import { constant, type Value } from '../value.js'
import { type PackedColumn, pack } from './pack.js'

/** A part of the union and its rows; all columns are stored. */
interface Part extends UnionPart {
  readonly rows: Rows
}

interface UnionOptions {
  readonly uses: LastUse
  /** The columns that operators after the union use. */
  readonly looked: ReadonlySet<number>
}

/** `union`: events of all parts are merged, newest first; other rows follow each other part by part. */
export function union(
  source: CheckedUnion,
  rows: readonly Rows[],
  { uses, looked }: UnionOptions,
): Rows {
  const parts = source.parts.map((part, i): Part => ({ ...part, rows: rows[i]! }))
  const all = ownValues(source, parts, uses)
  const isPlain = ({ column, values }: PackedColumn) =>
    looked.has(column.id) || values.size === parts.length
  const shown = all.filter(isPlain).map(({ column, values }) => ({
    column,
    values: parts.map((_, i) => values.get(i) ?? constant(column.type, null)),
  }))
  const columns = new Map<number, Cell>()
  for (const { column, values } of shown) {
    const nullable = values.some((value) => value.nullable)
    columns.set(column.id, storedCell(column.id, { type: column.type, nullable }))
  }
  // Names that no part uses: the engine resolves a name in the list of a SELECT before one in the table.
  const free = Math.max(0, ...rows.map(({ hidden }) => hidden))
  const packed = all.filter((one) => !isPlain(one))
  const rest = pack(packed, free + MOST_KEYS)
  const keys = parts.every(isNewestFirst)
    ? newestFirst(timeColumn([...columns.keys()], parts), hasEvents(source))
    : PART_BY_PART
  const order = keys.map(({ key, of }, i) => {
    const name = key.column === undefined ? raw(`h${free + i}`) : columnName(key.column)
    return { key: { ...key, sql: name }, of }
  })
  const selects = parts.map((part, i) => {
    const cells = shown.map(({ column, values }) => named(values[i]!.sql, columnName(column.id)))
    const places = order.flatMap(({ key, of }) => (of ? [named(of(part, i), key.sql)] : []))
    return sql`SELECT ${list([...cells, ...rest.of(i), ...places])} FROM ${part.rows.from}`
  })
  return {
    from: sql`(${joined(selects, ' UNION ALL ')})`,
    parts: selects,
    columns: new Map([...columns, ...rest.cells]),
    filters: [],
    order: order.map(({ key }) => key),
    hidden: free + MOST_KEYS + rest.size,
  }
}

/** Returns the used columns, each with its values in the parts that have it. */
function ownValues(
  source: CheckedUnion,
  parts: readonly Part[],
  uses: LastUse,
): readonly PackedColumn[] {
  const used = source.columns.filter(({ id }) => uses.has(id))
  const all = new Map(
    used.map((column) => [column.id, { column, values: new Map<number, Value>() }]),
  )
  for (const [i, part] of parts.entries()) {
    for (const [id, own] of part.columns) {
      const found = all.get(id)
      found?.values.set(i, valueIn(part, own, found.column.type))
    }
  }
  return [...all.values()]
}

function valueIn({ rows }: Part, own: Column | Constant, type: Type): Value {
  if (!('id' in own)) return constant(own.type, own.value)
  const cell = rows.columns.get(own.id)
  if (!cell) throw new Error(`column ${own.id} does not exist in a part of the union`)
  return convert(cell.value, type)
}

/** A key of the order of a union, and its value in a part; without such values, the key is a column. */
interface UnionKey {
  readonly key: Omit<OrderKey, 'sql'>
  readonly of?: ((part: Part, place: number) => Sql) | undefined
}

/** The most keys of an order. */
const MOST_KEYS = 4

/** Events are tie-broken by dataset name; other rows by the index of the part and the place among the rows of an event. */
function newestFirst(time: number | undefined, areEvents: boolean): readonly UnionKey[] {
  const own = (at: number) => (part: Part) => part.rows.order[at]!.sql
  const newest: readonly UnionKey[] = [
    {
      key: { direction: 'desc', instant: true, column: time },
      of: time === undefined ? own(0) : undefined,
    },
    { key: { direction: 'desc', arrival: true }, of: own(1) },
  ]
  if (areEvents) return [...newest, { key: { direction: 'desc', dataset: true }, of: datasetOf }]
  const placesOf = ({ rows }: Part) => placesIn(rows.order.slice(2))
  return [...newest, PART, { key: { direction: 'asc', places: true }, of: placesOf }]
}

/** The index of the part. */
const PART: UnionKey = { key: { direction: 'asc' }, of: (_, place) => sql`${place}` }

/** Returns the name of the dataset of an event. */
function datasetOf({ pipeline, rows }: Part): Sql {
  const dataset = rows.order[2]
  return dataset?.dataset ? dataset.sql : text(datasetsOf(pipeline)[0] ?? '')
}

/**
 * Returns the place of a row among the rows that were made of the same event, as a text: `mv-expand` may be used several times, and a
 * join makes its columns nullable, which arrays can not be.
 */
function placesIn(order: readonly OrderKey[]): Sql {
  const keys = order.filter(({ dataset }) => !dataset)
  const all = keys.map((key) =>
    key.places ? key.sql : sql`leftPad(toString(${key.sql}), 10, '0')`,
  )
  return sql`concat(${list([sql`''`, sql`''`, ...all])})`
}

/** Rows follow each other part by part, in the order of their part. */
const PART_BY_PART: readonly UnionKey[] = [
  PART,
  {
    key: { direction: 'asc' },
    of: ({ rows: { order } }) =>
      order.length > 0 ? sql`row_number() OVER (${orderBy(order)})` : sql`0`,
  },
]

function isNewestFirst({ rows }: Part): boolean {
  const [time, arrival] = rows.order
  return time?.direction === 'desc' && arrival?.arrival === true && arrival.direction === 'desc'
}

/** Returns the id of the column that is the time in every part. */
function timeColumn(ids: readonly number[], parts: readonly Part[]): number | undefined {
  return ids.find((id) =>
    parts.every((part) => {
      const own = part.columns.get(id)
      return own !== undefined && 'id' in own && own.id === part.rows.order[0]?.column
    }),
  )
}
