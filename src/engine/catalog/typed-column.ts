import { identifier, type Sql, sql, text } from '../../sql/sql.js'
import { parsableAgain } from '../../sql/type/parsable.js'
import type { FieldPath } from '../../wire/json/field-path.js'
import type { TypedColumnType } from '../../wire/json/kinds.js'
import { extractOne, pathLiterals } from './extraction.js'

/**
 * Each column adds files to every part, and 0.2 ms to every insert: only frequent fields get one.
 * An ingest of 400 fields takes a sixth longer than with 128 columns. A query of a field without one takes twenty times as long.
 */
export const MAX_COLUMNS = 256

/** A typed column for a frequent field of one type. */
export interface TypedColumn {
  readonly field: string
  readonly type: TypedColumnType
}

/** Returns the name of the column. It ends in the type, so that the columns of different fields never collide. */
export function columnName(column: TypedColumn): string {
  return `${column.field}:${column.type}`
}

/** Returns the typed column with a name; undefined for the columns that every table has. */
export function typedColumnOf(name: string): TypedColumn | undefined {
  const colon = name.lastIndexOf(':')
  const type = name.slice(colon + 1)
  return colon !== -1 && isTypedColumnType(type) ? { field: name.slice(0, colon), type } : undefined
}

const ENGINE_TYPE: Readonly<Record<TypedColumnType, string>> = {
  int: 'Int64',
  real: 'Float64',
  string: 'String',
  bool: 'Bool',
  array: 'String',
}

function isTypedColumnType(type: string): type is TypedColumnType {
  return Object.hasOwn(ENGINE_TYPE, type)
}

export function nullableType(type: TypedColumnType): string {
  return `Nullable(${ENGINE_TYPE[type]})`
}

function columnValue(type: TypedColumnType, dynamic: Sql): Sql {
  const value = sql`dynamicElement(${dynamic}, ${text(ENGINE_TYPE[type])})`
  if (type !== 'real') return value
  return sql`coalesce(${value}, CAST(dynamicElement(${dynamic}, 'Int64'), 'Nullable(Float64)'))`
}

/** Returns the default of the column, for rows stored without it. `former` is the column that it replaces. */
export function columnDefault(
  { type }: TypedColumn,
  path: FieldPath,
  former: TypedColumn | undefined,
): Sql {
  const own = valueInText(type, path)
  if (former === undefined) return own
  const name = identifier(columnName(former))
  return sql`coalesce(CAST(${name}, ${text(nullableType(type))}), ${own})`
}

function valueInText(type: TypedColumnType, path: FieldPath): Sql {
  if (type === 'array') return arrayText(sql`JSONExtractRaw(line, ${pathLiterals(path)})`)
  if (type !== 'string') return columnValue(type, extractOne(path))
  // Dynamic is avoided: merges evaluate the default with settings that parse some strings as dates.
  const at = pathLiterals(path)
  return sql`if(JSONType(line, ${at}) = 'String', JSONExtract(line, ${at}, 'Nullable(String)'), NULL)`
}

function arrayText(json: Sql): Sql {
  return sql`if(startsWith(${json}, '['), ${parsableAgain(json)}, NULL)`
}
