import type { CheckedJoin, JoinedColumn } from '../../apl/check/checked.js'
import type { JoinKind } from '../../apl/syntax/ast.js'
import type { CompileContext } from '../compile-context.js'
import { expression } from '../expression.js'
import { columnName, named, type OrderKey, orderBy, type Rows, storedCell } from '../rows.js'
import { scopeOf } from '../scope.js'
import { joined, list, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import type { Value } from '../value.js'
import { keyPair, nullSafe } from './join-key.js'

/** The rows of both sides; all columns are stored. */
interface Sides {
  readonly left: Rows
  readonly right: Rows
}

type Side = 'left' | 'right'

const ALIAS = { left: raw('l'), right: raw('r') } as const

/** The engine's kind of join, the side that is first, and the sides that a row may lack. */
interface Shape {
  readonly join: Sql
  readonly first: Side
  readonly missing: readonly Side[]
}

const SHAPES: Readonly<Record<JoinKind, Shape>> = {
  inner: { join: raw('INNER JOIN'), first: 'left', missing: [] },
  innerunique: { join: raw('INNER JOIN'), first: 'left', missing: [] },
  leftouter: { join: raw('LEFT JOIN'), first: 'left', missing: ['right'] },
  rightouter: { join: raw('RIGHT JOIN'), first: 'left', missing: ['left'] },
  fullouter: { join: raw('FULL JOIN'), first: 'left', missing: ['left', 'right'] },
  leftsemi: { join: raw('LEFT SEMI JOIN'), first: 'left', missing: [] },
  leftanti: { join: raw('LEFT ANTI JOIN'), first: 'left', missing: [] },
  rightsemi: { join: raw('LEFT SEMI JOIN'), first: 'right', missing: [] },
  rightanti: { join: raw('LEFT ANTI JOIN'), first: 'right', missing: [] },
}

/** `join`: matching rows of two sides, in the order of the left side, then of the right side. */
export function join(source: CheckedJoin, sides: Sides, context: CompileContext): Rows {
  const shape = SHAPES[source.joinKind]
  const keys = source.keys.flatMap((key) => {
    const value = (side: Side) => expression(key[side], scopeOf(sides[side], context))
    const [left, right] = nullSafe(...keyPair(value('left'), value('right')))
    return left.map((own, i) => ({ left: own, right: right[i]! }))
  })
  const operand = (side: Side): Sql => {
    const own = columnsOf(sides[side], { isOptional: shape.missing.includes(side) })
    const ownKeys = keys.map((key, i) => named(key[side], raw(`k${i}`)))
    const all = sql`SELECT ${list([...own, ...ownKeys])} FROM ${sides[side].from}`
    const isFirstOnly = source.joinKind === 'innerunique' && side === 'right'
    return isFirstOnly ? firstOfEach(all, sides[side], keys.length) : all
  }
  const equal = keys.map((_, i) => sql`l.${raw(`k${i}`)} = r.${raw(`k${i}`)}`)
  const shown = source.joined.filter(({ column }) => context.uses.has(column.id))
  const values = new Map(shown.map((one) => [one.column.id, joinedValue(one, sides, shape)]))
  const order = joinedOrder(source, sides, shape)
  const columns = shown.map(({ column }) =>
    named(values.get(column.id)!.sql, columnName(column.id)),
  )
  const { first } = shape
  const second = first === 'left' ? 'right' : 'left'
  const from = sql`(${operand(first)}) AS ${ALIAS[first]} ${shape.join} (${operand(second)}) AS ${ALIAS[second]}`
  const all = [...columns, ...order.map(({ own }, i) => named(own, raw(`h${i}`)))]
  return {
    from: sql`(SELECT ${all.length > 0 ? list(all) : sql`1`} FROM ${from} ON ${joined(equal, ' AND ')})`,
    columns: new Map(
      shown.map(({ column }) => [column.id, storedCell(column.id, values.get(column.id)!)]),
    ),
    filters: [],
    order: order.map(({ key }, i) => ({ ...key, sql: raw(`h${i}`) })),
    hidden: order.length,
  }
}

/** Returns the columns of a side, nullable when a row can lack the side. */
function columnsOf(rows: Rows, { isOptional }: { readonly isOptional: boolean }): readonly Sql[] {
  const own = [...rows.columns.keys()].map(columnName)
  const names = new Set(own.map(({ text }) => text))
  const keys = rows.order.filter(({ sql: key }) => !names.has(key.text) && names.add(key.text))
  // Also for nullable values: such a value need not have a nullable type.
  const column = (name: Sql) => (isOptional ? named(sql`toNullable(${name})`, name) : name)
  return [...own, ...keys.map(({ sql: name }) => name)].map(column)
}

/** Returns the first row of each key in the current order. */
function firstOfEach(rows: Sql, { order }: Rows, keys: number): Sql {
  const by = Array.from({ length: keys }, (_, i) => raw(`k${i}`))
  const ordered = order.length > 0 ? sql` ${orderBy(order)}` : sql``
  return sql`SELECT * FROM (${rows})${ordered} LIMIT 1 BY ${list(by)}`
}

/** Returns the value of a joined column; for a shared key, the value of the side that is present. */
function joinedValue(
  { column, left, right }: JoinedColumn,
  sides: Sides,
  { missing }: Shape,
): Value {
  const of = (side: Side, id: number): Value => {
    const value = sides[side].columns.get(id)?.value
    if (!value) throw new Error(`column ${id} does not exist on the ${side} side of the join`)
    const own = { ...value, sql: sql`${ALIAS[side]}.${columnName(id)}` }
    return convert({ ...own, nullable: value.nullable || missing.includes(side) }, column.type)
  }
  if (left === undefined) return of('right', right!.id)
  if (right === undefined) return of('left', left.id)
  const [a, b] = [of('left', left.id), of('right', right.id)]
  return { sql: sql`coalesce(${a.sql}, ${b.sql})`, type: column.type, nullable: true }
}

interface JoinedKey {
  /** The key in the side's rows. */
  readonly own: Sql
  readonly key: OrderKey
}

function joinedOrder(
  source: CheckedJoin,
  sides: Sides,
  { missing, first }: Shape,
): readonly JoinedKey[] {
  const one = /semi|anti/.test(source.joinKind)
  const order: readonly Side[] = one ? [first] : ['left', 'right']
  return order.flatMap((side) =>
    sides[side].order.map(({ sql: name, direction, nulls, column }) => {
      const shown = source.joined.find(
        (joined) => joined[side]?.id === column && column !== undefined,
      )
      const last = missing.includes(side) ? 'last' : nulls
      return {
        own: sql`${ALIAS[side]}.${name}`,
        key: { sql: name, direction, nulls: last, column: shown?.column.id },
      }
    }),
  )
}
