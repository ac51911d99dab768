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
  const names = {
    first: raw(`h${free}`),
    second: raw(`h${free + 1}`),
    third: raw(`h${free + 2}`),
    places: raw(`h${free + 3}`),
  }
  const packed = all.filter((one) => !isPlain(one))
  const rest = pack(packed, free + 4)
  const time = timeColumn(source, parts)
  const order = parts.every(isNewestFirst)
    ? newestFirst(names, {
        ...(time !== undefined && columns.has(time) && { time }),
        areEvents: hasEvents(source),
      })
    : partByPart(names)
  const selects = parts.map((part, i) => {
    const cells = shown.map(({ column, values }) => named(values[i]!.sql, columnName(column.id)))
    return sql`SELECT ${list([...cells, ...rest.of(i), ...order.columns(part, i)])} FROM ${part.rows.from}`
  })
  return {
    from: sql`(${joined(selects, ' UNION ALL ')})`,
    parts: selects,
    columns: new Map([...columns, ...rest.cells]),
    filters: [],
    order: order.keys,
    hidden: free + 4 + rest.size,
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

interface PartOrder {
  /** The order columns that each part selects. */
  columns(part: Part, place: number): readonly Sql[]
  readonly keys: readonly OrderKey[]
}

type Names = Readonly<Record<'first' | 'second' | 'third' | 'places', Sql>>

/** Events are tie-broken by dataset name; other rows by the index of the part and the place among the rows of an event. */
function newestFirst(
  { first, second, third, places }: Names,
  { time, areEvents }: { readonly time?: number; readonly areEvents: boolean },
): PartOrder {
  return {
    columns({ pipeline, rows }, place) {
      const [at, arrival, dataset] = rows.order
      const name = dataset?.dataset ? dataset.sql : text(datasetsOf(pipeline)[0] ?? '')
      return [
        ...(time === undefined ? [named(at!.sql, first)] : []),
        named(arrival!.sql, second),
        named(areEvents ? name : sql`${place}`, third),
        ...(areEvents ? [] : [named(placesIn(rows.order.slice(2)), places)]),
      ]
    },
    keys: [
      time === undefined
        ? { sql: first, direction: 'desc', instant: true }
        : { sql: columnName(time), direction: 'desc', instant: true, column: time },
      { sql: second, direction: 'desc', arrival: true },
      areEvents
        ? { sql: third, direction: 'desc', dataset: true }
        : { sql: third, direction: 'asc' },
      ...(areEvents ? [] : [{ sql: places, direction: 'asc', places: true } as const]),
    ],
  }
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

function partByPart({ first, second }: Names): PartOrder {
  return {
    columns({ rows: { order } }, place) {
      const row = order.length > 0 ? sql`row_number() OVER (${orderBy(order)})` : sql`0`
      return [sql`${place} AS ${first}`, named(row, second)]
    },
    keys: [
      { sql: first, direction: 'asc' },
      { sql: second, direction: 'asc' },
    ],
  }
}

function isNewestFirst({ rows }: Part): boolean {
  const [time, arrival] = rows.order
  return time?.direction === 'desc' && arrival?.arrival === true && arrival.direction === 'desc'
}

/** Returns the id of the column that is the time in every part. */
function timeColumn({ columns }: CheckedUnion, parts: readonly Part[]): number | undefined {
  return columns.find(({ id }) =>
    parts.every((part) => {
      const own = part.columns.get(id)
      return own !== undefined && 'id' in own && own.id === part.rows.order[0]?.column
    }),
  )?.id
}
