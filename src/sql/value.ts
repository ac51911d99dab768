import { createHash } from 'node:crypto'
import type { LiteralValue } from '../apl/syntax/ast.js'
import type { Type } from '../apl/type.js'
import { raw, type Sql, sql, text } from './sql.js'

/**
 * An APL value as SQL. A timespan is a number of nanoseconds; a dynamic value is its JSON text,
 * where null is no text at all.
 */
export interface Value {
  readonly sql: Sql
  readonly type: Type
  /** Whether it may be null. */
  readonly nullable: boolean
  /** For a predicate: the same for a filter, which takes null for false, and so often simpler. */
  readonly filter?: Sql
  /** What a literal says; absent for anything else. */
  readonly constant?: LiteralValue
  /** For a dynamic value: the JSON text that it is a part of, and where in it. */
  readonly json?: JsonPart
}

/** A JSON text, and the keys and positions that lead to a part of it. */
export interface JsonPart {
  readonly document: Sql
  readonly path: readonly Sql[]
}

const SQL_TYPES: Readonly<Record<Type, string>> = {
  bool: 'Bool',
  int: 'Int64',
  real: 'Float64',
  string: 'String',
  datetime: "DateTime64(9, 'UTC')",
  timespan: 'Int64',
  dynamic: 'String',
}

/** A value that may be null. */
export function nullable(type: Type, value: Sql): Value {
  return { sql: value, type, nullable: true }
}

/** A value that is null where one of those it is made of is. */
export function derived(type: Type, value: Sql, from: readonly Value[]): Value {
  return { sql: value, type, nullable: from.some((part) => part.nullable) }
}

/** What a literal of the language, or a value known before the query runs, is in SQL. */
export function constant(type: Type, value: LiteralValue): Value {
  return { sql: literal(type, value), type, nullable: value === null, constant: value }
}

/** A null of a type. */
export function nothing(type: Type): Sql {
  return sql`CAST(NULL, ${nullableType(type)})`
}

/** The engine's name of the type that holds an APL type's values. */
export function typeName(type: Type): string {
  return SQL_TYPES[type]
}

/** The name, as a text, of the engine's type that holds an APL type's values and null. */
export function nullableType(type: Type): Sql {
  return text(`Nullable(${SQL_TYPES[type]})`)
}

function literal(type: Type, value: LiteralValue): Sql {
  if (value === null) return nothing(type)
  if (typeof value === 'string') return text(value)
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  if (typeof value === 'number') return real(value)
  if (type === 'datetime') return sql`fromUnixTimestamp64Nano(${value}, 'UTC')`
  // The engine takes a large literal for unsigned, and unsigned has no type in common with Int64.
  return value > 0x7fff_ffffn ? sql`toInt64(${value})` : sql`${value}`
}

function real(value: number): Sql {
  if (!Number.isFinite(value)) return sql`toFloat64(${text(String(value))})`
  const digits = String(value)
  const written = /[.e]/.test(digits) ? digits : `${digits}.0`
  return raw(value < 0 || Object.is(value, -0) ? `(${written})` : written)
}

/**
 * Uses a value several times and computes it once. A long text is given a name, or a few nested
 * expressions would double the statement each; the name follows from the text, so that where an inner
 * name hides an outer one, both mean the same.
 */
export function once(value: Sql, body: (value: Sql) => Sql): Sql {
  if (value.text.length <= 120) return body(value)
  const name = raw(`v${hash(value.text)}`)
  return sql`arrayElement(arrayMap(${name} -> ${body(name)}, [${value}]), 1)`
}

/** Uses each of several values several times and computes it once. */
export function onceEach(values: readonly Sql[], body: (values: readonly Sql[]) => Sql): Sql {
  const [first, ...rest] = values
  if (!first) return body([])
  return once(first, (one) => onceEach(rest, (others) => body([one, ...others])))
}

function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16)
}
