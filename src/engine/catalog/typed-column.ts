import { type Sql, sql } from '../../sql/sql.js'
import type { FieldPath } from '../../wire/json/field-path.js'
import { KIND, type Kinds, type TypedColumnType } from '../../wire/json/kinds.js'
import { extractOne, pathLiterals } from '../ingest/extraction.js'

/** A typed column beside the events' texts, for a field that is frequent and of one type. */
export interface TypedColumn {
  readonly field: string
  readonly type: TypedColumnType
  /** Filled and guarded by inserts, but not proven of the events stored before it: no query may read it yet. */
  readonly isPending?: true
}

/** The column's name; with the type in it no field can be called like a column of another. */
export function columnName(column: TypedColumn): string {
  return `${column.field}:${column.type}`
}

/** The typed column of that name; undefined for the columns that every table has. */
export function typedColumnOf(name: string): TypedColumn | undefined {
  const colon = name.lastIndexOf(':')
  const type = name.slice(colon + 1)
  return colon !== -1 && isTypedColumnType(type) ? { field: name.slice(0, colon), type } : undefined
}

function isTypedColumnType(type: string): type is TypedColumnType {
  return type === 'int' || type === 'real' || type === 'string' || type === 'bool'
}

const STORED_TYPE: Readonly<Record<TypedColumnType, Sql>> = {
  int: sql`Nullable(Int64)`,
  real: sql`Nullable(Float64)`,
  string: sql`Nullable(String)`,
  bool: sql`Nullable(Bool)`,
}

/** The column's type in the engine; a text of few different values is kept as numbers into a dictionary. */
export function storedType(
  type: TypedColumnType,
  options: { readonly isLowCardinality: boolean },
): Sql {
  if (type === 'string' && options.isLowCardinality) return sql`LowCardinality(Nullable(String))`
  return STORED_TYPE[type]
}

/** The column's value out of a Dynamic. */
export function columnValue(type: TypedColumnType, dynamic: Sql): Sql {
  switch (type) {
    case 'int':
      return sql`dynamicElement(${dynamic}, 'Int64')`
    case 'real':
      return sql`coalesce(dynamicElement(${dynamic}, 'Float64'), CAST(dynamicElement(${dynamic}, 'Int64'), 'Nullable(Float64)'))`
    case 'string':
      return sql`dynamicElement(${dynamic}, 'String')`
    case 'bool':
      return sql`dynamicElement(${dynamic}, 'Bool')`
    default:
      return type satisfies never
  }
}

/** Whether a Dynamic that was `found` holds something that the column can't; `value` is what it would get. */
export function losesValue(options: {
  readonly column: TypedColumn
  readonly kinds: Kinds
  readonly found: Sql
  readonly value: Sql
}): Sql {
  const { column, kinds, found, value } = options
  if (column.type !== 'real') return sql`isNull(${value}) != isNull(${found})`
  if ((kinds & KIND.int) === 0) {
    return sql`isNull(dynamicElement(${found}, 'Float64')) != isNull(${found})`
  }
  const int = sql`dynamicElement(${found}, 'Int64')`
  return sql`isNull(${value}) != isNull(${found}) OR ifNull(${int} NOT BETWEEN -9007199254740992 AND 9007199254740992, 0)`
}

/** What the column is for rows that were stored without it. */
export function columnDefault(type: TypedColumnType, path: FieldPath): Sql {
  if (type !== 'string') return columnValue(type, extractOne(path))
  // Not through Dynamic: merges compute this with settings that take some texts for dates.
  const at = pathLiterals(path)
  return sql`if(JSONType(line, ${at}) = 'String', JSONExtract(line, ${at}, 'Nullable(String)'), NULL)`
}
