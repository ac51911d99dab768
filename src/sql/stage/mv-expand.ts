import type { CheckedMvExpand } from '../../apl/check/checked.js'
import type { OperatorContext } from '../compile-context.js'
import { expression } from '../expression.js'
import { usedMembers } from '../member-use.js'
import {
  type Cell,
  carriersOf,
  columnName,
  named,
  type OrderKey,
  type Rows,
  subquery,
} from '../rows.js'
import { scopeOf } from '../scope.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert, dynamicOf } from '../type/convert.js'
import {
  convertedElements,
  countedElements,
  type MembersOfElements,
  membersOfElements,
} from '../type/element-members.js'
import { derived, nothing, nullable, once, type Strings, type Value } from '../value.js'

/** `mv-expand`: returns a row for each element; a row without elements is kept, with null. */
export function mvExpand(operator: CheckedMvExpand, rows: Rows, context: OperatorContext): Rows {
  const { items, index, limit } = operator
  const internal = (i: number) => raw(`h${rows.hidden + i}`)
  const [lists, element, number] = [internal(0), internal(1), internal(2)]
  const scope = scopeOf(rows, context)
  const wholes = items.map(({ value }) => convert(expression(value, scope), 'dynamic'))
  const [array] = wholes
  const known = array && membersOf(array, operator, context)
  const all = known?.array ?? zipped(wholes, operator)
  const cut = limit === undefined ? all : sql`arraySlice(${all}, 1, ${limit})`
  const next = { uses: context.uses, step: context.step + 1 }
  const inner = subquery({ ...rows, hidden: rows.hidden + 3 }, next, [named(cut, lists)])
  const from = sql`(SELECT ${list([...namesOf(inner), element, number])} FROM ${inner.from} LEFT ARRAY JOIN ${lists} AS ${element}, arrayEnumerate(${lists}) AS ${number})`
  const columns = new Map<number, Cell>(inner.columns)
  for (const [i, { column }] of items.entries()) {
    const found = sql`tupleElement(${element}, ${i + 1})`
    const isString = wholes[i]!.strings !== undefined
    const item = isString ? dynamicOf(found) : nullable('dynamic', found)
    const value = convert(item, column.type)
    const cell: Cell = known
      ? { kind: 'text', carrier: element, value: known.valueOf(element) }
      : { kind: 'computed', value }
    columns.set(column.id, cell)
  }
  if (index) {
    const value = derived('int', sql`toInt64(greatest(${number}, 1) - 1)`, [])
    columns.set(index.id, { kind: 'computed', value })
  }
  const place: OrderKey = { sql: number, direction: 'asc' }
  return { ...inner, from, columns, order: [...inner.order, place] }
}

function zipped(wholes: readonly Value[], { bags }: CheckedMvExpand): Sql {
  const arrays = wholes.map((whole) =>
    whole.strings === undefined ? elementsOfJson(whole, bags) : elementsOf(whole.strings),
  )
  return sql`arrayZipUnaligned(${list(arrays)})`
}

/** Returns what later operators use of the elements of an array when that is not more than members of objects, or a simple type. */
function membersOf(
  array: Value,
  { items: [item, other], bags }: CheckedMvExpand,
  context: OperatorContext,
): MembersOfElements | undefined {
  if (item === undefined || other !== undefined || bags) return undefined
  const { id, type } = item.column
  const used = type === 'dynamic' ? usedMembers(id, context) : type
  if (typeof used !== 'string' && used.size === 0) return countedElements(array)
  if (array.strings !== undefined) return undefined
  if (typeof used !== 'string') {
    return membersOfElements(array, { members: used, items: elementsOfJson(array, false) })
  }
  if (used !== 'int' && used !== 'real' && (used !== 'string' || type !== 'dynamic'))
    return undefined
  const itemsOf = (json: Sql) => elements(json, false)
  return convertedElements(array, { as: used, isTyped: type !== 'dynamic', itemsOf })
}

/** Returns the elements as `elements` does. Those of an array within a document are read from the document. */
function elementsOfJson(value: Value, bags: boolean): Sql {
  const { json } = value
  const all = once(value.sql, (d) => elements(d, bags))
  if (json === undefined) return all
  const document = sql`ifNull(${json.document}, '')`
  const items = sql`JSONExtractArrayRaw(${list([document, ...json.path])})`
  return sql`if(notEmpty(${items}), arrayMap(item -> nullIf(item, 'null'), ${items}), ${all})`
}

/**
 * Returns the JSON texts of an array's elements, with null for JSON's null. Null has no element, and any other value is its own only
 * element.
 */
function elements(value: Sql, bags: boolean): Sql {
  const items = sql`arrayMap(item -> nullIf(item, 'null'), JSONExtractArrayRaw(ifNull(${value}, '')))`
  if (!bags) {
    return sql`arrayConcat(${items}, arrayFilter(item -> NOT startsWith(item, '['), [toNullable(${value})]))`
  }
  const single = sql`[toNullable(${value})]`
  const members = sql`arrayMap(member -> toNullable(concat('{', toJSONString(member.1), ':', member.2, '}')), JSONExtractKeysAndValuesRaw(ifNull(${value}, '')))`
  return sql`multiIf(startsWith(ifNull(${value}, ''), '['), ${items}, startsWith(ifNull(${value}, ''), '{'), ${members}, ${single})`
}

function elementsOf({ elements: strings, isNull }: Strings): Sql {
  return sql`if(${isNull}, [${nothing('string')}], arrayMap(item -> toNullable(item), ${strings}))`
}

function namesOf({ columns, order }: Rows): readonly Sql[] {
  const cells = [...columns].flatMap(([id, cell]) =>
    cell.kind === 'text' ? carriersOf(cell) : [columnName(id)],
  )
  const all = [...cells, ...order.map((key) => key.sql)]
  return [...new Map(all.map((name) => [name.text, name])).values()]
}
