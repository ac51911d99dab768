import type { Column } from '../../apl/check/checked.js'
import { type Cell, named } from '../rows.js'
import { list, raw, type Sql, sql, text } from '../sql.js'
import { nullable, typeName, type Value } from '../value.js'

// Each part of a UNION ALL must select every column of it. With hundreds of columns that most parts lack, the
// size of the statement and its planning time grow with parts times columns: 60 datasets with 30 distinct fields each took
// seconds, 100 ran out of memory. Therefore each part selects a map for each type, from the number of a column to its value;
// the columns of the result are looked up in them at the end, for the rows of the result only.

/** A column of a union, and its values in the parts that have it, converted to its type. */
export interface PackedColumn {
  readonly column: Column
  /** By the index of the part. */
  readonly values: ReadonlyMap<number, Value>
}

/** The columns, as cells that look up their value in a map. */
interface Pack {
  /** Returns the maps of a part, as columns. */
  of(part: number): readonly Sql[]
  readonly cells: ReadonlyMap<number, Cell>
  /** The number of maps. */
  readonly size: number
}

/** Packs columns into internal columns with numbers from `first` on. */
export function pack(columns: readonly PackedColumn[], first: number): Pack {
  const types = [...new Set(columns.map(({ column }) => typeName(column.type)))]
  const maps = types.map((type, i) => ({
    name: raw(`h${first + i}`),
    type,
    columns: columns.filter(({ column }) => typeName(column.type) === type),
  }))
  const cells = maps.flatMap(({ name, columns: own }) =>
    own.map(({ column }, key): readonly [number, Cell] => {
      const value = nullable(column.type, sql`arrayElement(${name}, ${key})`)
      return [column.id, { kind: 'text', value, carrier: name }]
    }),
  )
  return {
    of: (part) => maps.map((map) => named(mapOf(part, map), map.name)),
    cells: new Map(cells),
    size: maps.length,
  }
}

function mapOf(
  part: number,
  { type, columns }: { readonly type: string; readonly columns: readonly PackedColumn[] },
): Sql {
  const own = columns.flatMap(({ values }, key) => {
    const value = values.get(part)
    return value === undefined ? [] : [{ key: sql`${key}`, value: value.sql }]
  })
  const [keys, values] = [list(own.map(({ key }) => key)), list(own.map(({ value }) => value))]
  return sql`CAST(([${keys}], [${values}]), ${text(`Map(UInt32, Nullable(${type}))`)})`
}
