import type { Column } from '../../apl/check/checked.js'
import { type Cell, named } from '../rows.js'
import { list, type Sql, sql, text } from '../sql.js'
import { nullable, typeName, type Value } from '../value.js'

// Each part of a UNION ALL must select every column of it. With hundreds of columns that most parts lack, the
// size of the statement and its planning time grow with parts times columns: 60 datasets with 30 distinct fields each took
// seconds, 100 ran out of memory. Therefore each part selects one packed column, a tuple of its number and an array for each
// type; the columns of the result are extracted from it at the end, for the rows of the result only.

/** A column of a union, and its values in the parts that have it, converted to its type. */
export interface PackedColumn {
  readonly column: Column
  /** By the index of the part. */
  readonly values: ReadonlyMap<number, Value>
}

/** The columns, as cells that extract from the packed column. */
interface Pack {
  /** Returns the packed column of a part. */
  of(part: number): Sql
  readonly cells: ReadonlyMap<number, Cell>
}

/** Packs columns into one called `carrier`. */
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

interface ArrayPosition {
  readonly part: number
  readonly index: number
}

/** The array index, counted from 1, for the part that a row is from; 0, which reads as null, for parts without the column. */
function indexIn(places: readonly ArrayPosition[], carrier: Sql): Sql {
  const parts = list(places.map(({ part }) => sql`${part}`))
  const indexes = list(places.map(({ index }) => sql`${index}`))
  return sql`transform(tupleElement(${carrier}, 1), [${parts}], [${indexes}], 0)`
}
