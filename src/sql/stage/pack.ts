import type { Column } from '../../apl/check/checked.js'
import { type Cell, named } from '../rows.js'
import { list, type Sql, sql, text } from '../sql.js'
import { nullable, typeName, type Value } from '../value.js'

// Each part of a UNION ALL has to give every column of it. With hundreds of columns that most parts lack, the
// statement and its planning grow with their product: 60 datasets of 30 fields each of their own took seconds, of
// 100 all memory. So each part gives what it has in one column, a tuple of its number and of an array for each
// type, and what the result shows is taken out of that at the end, when only the rows of the result are left.

/** A column of a union, and its values in those of the parts that have it, converted to its type. */
export interface PackedColumn {
  readonly column: Column
  /** By the position of the part. */
  readonly values: ReadonlyMap<number, Value>
}

/** The columns as one. */
export interface Pack {
  /** What a part gives. */
  of(part: number): Sql
  readonly cells: ReadonlyMap<number, Cell>
}

/** Puts columns into one of the name `carrier`. */
export function pack(columns: readonly PackedColumn[], carrier: Sql): Pack {
  const types = [...new Set(columns.map(({ column }) => typeName(column.type)))]
  const arrays = new Map<number, Map<string, Sql[]>>()
  const cells = new Map<number, Cell>()
  for (const { column, values } of columns) {
    const type = typeName(column.type)
    const places = [...values].map(([part, value]) => {
      const array = arrayOf(arrays, part, type)
      return { part, index: array.push(value.sql) }
    })
    const array = sql`tupleElement(${carrier}, ${types.indexOf(type) + 2})`
    const value = sql`arrayElement(${array}, ${indexIn(places, carrier)})`
    cells.set(column.id, { kind: 'text', value: nullable(column.type, value), carrier })
  }
  return {
    of(part) {
      const each = types.map((type) => {
        const values = arrays.get(part)?.get(type) ?? []
        return sql`CAST([${list(values)}], ${text(`Array(Nullable(${type}))`)})`
      })
      return named(sql`tuple(${list([sql`${part}`, ...each])})`, carrier)
    },
    cells,
  }
}

function arrayOf(arrays: Map<number, Map<string, Sql[]>>, part: number, type: string): Sql[] {
  const own = arrays.get(part) ?? new Map<string, Sql[]>()
  const array = own.get(type) ?? []
  arrays.set(part, own.set(type, array))
  return array
}

interface Place {
  readonly part: number
  readonly index: number
}

/** The index in the array, counted from 1, of the part that a row is from; at 0 there is null. */
function indexIn(places: readonly Place[], carrier: Sql): Sql {
  const parts = list(places.map(({ part }) => sql`${part}`))
  const indexes = list(places.map(({ index }) => sql`${index}`))
  return sql`transform(tupleElement(${carrier}, 1), [${parts}], [${indexes}], 0)`
}
