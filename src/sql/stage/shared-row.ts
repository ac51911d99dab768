import type { CheckedExpression, CheckedSummarize } from '../../apl/check/checked.js'
import { isRowAggregate } from '../../apl/check/expression/row-aggregate.js'
import { addTo } from '../../text/lists.js'
import { arrivalAtExtreme, type Extreme, rowAtExtreme, rowItself } from '../aggregate/extreme.js'
import { argumentsOf } from '../expression.js'
import { type Cell, carriersOf, named, type Rows, select } from '../rows.js'
import type { Scope } from '../scope.js'
import { joined, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { nullable } from '../value.js'
import { references } from '../walk.js'
import { isEachAnEvent } from './read-again.js'

// Rows that `arg_max(x, *)` and `arg_min(x, *)` find.

/** The keys and the aggregates of a `summarize`. */
export type Grouping = Pick<CheckedSummarize, 'by' | 'aggregates'>

/** A row that several aggregates are fields of, and its parts by the ids of their columns. */
export interface SharedRow extends Extreme {
  readonly name: Sql
  readonly fields: readonly Sql[]
  readonly parts: ReadonlyMap<number, Cell>
  /** The texts of the row that fields are extracted from later. */
  readonly carriers: readonly Sql[]
}

/** So many fields of a row are aggregated one by one. */
const FEW_FIELDS = 8

/** Returns the columns that only one `arg_max(x, *)` uses: those in the text of events are extracted from the rows it finds. */
export function usedLate({ by, aggregates }: Grouping): ReadonlySet<number> {
  const rows = new Map<CheckedExpression, number[]>()
  const others: CheckedExpression[] = by.map(({ value }) => value)
  for (const { value: node } of aggregates) {
    const [value, field] = node.kind === 'aggregate' ? node.arguments : []
    const isOfRow = node.kind === 'aggregate' && isRowAggregate(node.function)
    if (isOfRow && field?.kind === 'reference' && field !== value) {
      addTo(rows, value!, field.column)
    } else others.push(node)
  }
  const [first = [], ...more] = [...rows.values()]
  const early = new Set([...others.flatMap((node) => [...references(node)]), ...more.flat()])
  return new Set(first.length < FEW_FIELDS ? [] : first.filter((id) => !early.has(id)))
}

/** Returns the rows of `arg_max(x, *)` over many fields: comparing a row for each of its fields takes most of the time. */
export function sharedRows(
  grouping: Grouping,
  { rows, scope }: { readonly rows: Rows; readonly scope: Scope },
): readonly SharedRow[] {
  const late = usedLate(grouping)
  const all = grouping.aggregates.flatMap(({ column, value: node }) => {
    if (node.kind !== 'aggregate' || !isRowAggregate(node.function)) return []
    const [value, field = value!] = argumentsOf(node, scope)
    const [cell] = node.arguments.slice(1).flatMap((one) => {
      return one.kind === 'reference' && late.has(one.column) ? rows.columns.get(one.column) : []
    })
    return { side: node.function, value: value!, column, field: convert(field, column.type), cell }
  })
  const groups = new Map<string, typeof all>()
  for (const one of all) {
    addTo(groups, `${one.side} ${one.value.sql.text}`, one)
  }
  const many = [...groups.values()].filter((fields) => fields.length > FEW_FIELDS)
  return many.map((fields, i): SharedRow => {
    const name = raw(`h${rows.hidden + i}`)
    const parts = new Map<number, Cell>()
    const carriers = new Map<string, Sql>()
    const taken: Sql[] = []
    const take = (value: Sql) => sql`tupleElement(${name}, ${taken.push(value)})`
    for (const { column, field, cell } of fields) {
      if (cell?.kind !== 'text') {
        const value = nullable(column.type, take(sql`toNullable(${field.sql})`))
        parts.set(column.id, { kind: 'computed', value })
      } else {
        parts.set(column.id, cell)
        for (const carrier of carriersOf(cell)) {
          if (!carriers.has(carrier.text)) carriers.set(carrier.text, named(take(carrier), carrier))
        }
      }
    }
    const { side, value } = fields[0]!
    return { side, value, name, fields: taken, parts, carriers: [...carriers.values()] }
  })
}

/**
 * Returns a SELECT of the keys and the row of each group. Its event is found first: the engine reads the keys of all events and the
 * fields of few, rather than the fields of all.
 */
export function rowFound(
  row: SharedRow,
  {
    arrival,
    keys,
    grouping,
    rows,
    scope: { group = {} },
  }: {
    readonly arrival: Sql
    readonly keys: readonly Sql[]
    readonly grouping: readonly Sql[]
    readonly rows: Rows
    readonly scope: Scope
  },
): Sql {
  const name = raw(`h${rows.hidden}`)
  const found = select(rows, [...keys, named(arrivalAtExtreme(row, arrival, group), name)])
  const only = sql`${arrival} IN (SELECT ${name} FROM (${joined([found, ...grouping], ' ')}))`
  const events = { ...rows, filters: [...rows.filters, only] }
  const isFound = grouping.length > 0 && isEachAnEvent(rows)
  const own = isFound ? rowItself(row) : rowAtExtreme(row, group)
  const all = select(events, [...keys, named(own, row.name)])
  return isFound ? all : joined([all, ...grouping], ' ')
}
