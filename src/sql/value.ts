import { hash } from 'node:crypto'
import type { LiteralValue } from '../apl/syntax/ast.js'
import type { Type } from '../apl/type.js'
import { list, raw, type Sql, sql, text } from './sql.js'

/**
 * An APL value as SQL. A timespan is a number of nanoseconds. A dynamic value is its JSON text,
 * where JSON's null is SQL's NULL.
 */
export interface Value {
  readonly sql: Sql
  readonly type: Type
  /** True when the value can be null. */
  readonly nullable: boolean
  /** For a predicate: an equivalent filter, in which null counts as false; often simpler. */
  readonly filter?: Sql
  /** The value of a literal; absent for other expressions. */
  readonly constant?: LiteralValue
  /** For a dynamic value extracted from JSON: the document and the path. */
  readonly json?: JsonPart
  /** For a dynamic value parsed from a text: the text, which has the same members. */
  readonly parsed?: ParsedText
  /** For a dynamic value whose text needs no JSON text: what `tostring` returns, and NULL for null. */
  readonly text?: Sql | undefined
  /** For a dynamic value with `text`: it is a string or null. */
  readonly isString?: true
  /** For a dynamic value: an equal number or string, which is null in rows in which the value has another type. */
  readonly held?: Value
  /** For a dynamic value that is an array of strings or null: its elements, for which no JSON text is written. */
  readonly strings?: Strings
  /** For a dynamic value that is an object of strings or null: its members, for which no JSON text is written; NULL for null. */
  readonly texts?: Readonly<Record<string, Sql>>
  /** For an object of which only some members are known: their values. */
  readonly members?: ReadonlyMap<string, Value>
  /** For the joined texts of values: strings that contain the same terms together, the one that takes less time first. */
  readonly parts?: readonly Value[]
}

export interface Strings {
  /** The engine's array; of no meaning for null. */
  readonly elements: Sql
  readonly isNull: Sql
}

interface ParsedText {
  readonly text: Sql
  /** True for the text of a column, which need not be computed. */
  readonly isColumn: boolean
}

/** A path within a JSON document: keys, and positions counted from 1. */
export interface JsonPart {
  readonly document: Sql
  readonly path: readonly Sql[]
  /** The map and the key that the document is from, if it is an element of a map. */
  readonly element?: { readonly map: Sql; readonly key: number }
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

export function nullable(type: Type, value: Sql): Value {
  return { sql: value, type, nullable: true }
}

export function stringArray(strings: Strings): Value {
  const written = sql`if(${strings.isNull}, NULL, toJSONString(${strings.elements}))`
  return { ...nullable('dynamic', written), strings }
}

/** Returns the JSON text of a dynamic value for functions that parse it: it need not be as the engine writes it. */
export function documentOf({ sql: value, json }: Value): Sql {
  return json?.path.length === 0 ? json.document : value
}

/** Applies `of` to the number or string that a value holds in some rows, and to the whole value in all others. */
export function byHeld({ held, ...whole }: Value, of: (one: Value) => Sql): Sql {
  return held === undefined ? of(whole) : sql`if(isNull(${held.sql}), ${of(whole)}, ${of(held)})`
}

/** Returns a value that is null when one of its inputs is. */
export function derived(type: Type, value: Sql, from: readonly Value[]): Value {
  return { sql: value, type, nullable: from.some((part) => part.nullable) }
}

/** Returns the SQL of a literal, or of a value known before the query runs. */
export function constant(type: Type, value: LiteralValue): Value {
  return { sql: literal(type, value), type, nullable: value === null, constant: value }
}

export function nothing(type: Type): Sql {
  return sql`CAST(NULL, ${nullableType(type)})`
}

/** A value of a type that is not null, in place of a null. */
export function standIn(type: Type): Sql {
  if (type === 'string' || type === 'dynamic') return text('')
  return literal(type, type === 'bool' ? false : type === 'real' ? 0 : 0n)
}

/** Returns the value with a stand-in for null. */
export function notNull({ sql: value, type, nullable: isNullable }: Value): Sql {
  return isNullable ? sql`ifNull(${value}, ${standIn(type)})` : value
}

/** Returns the value as a non-nullable type, for rows in which it is not null; arrays and tuples need such types. */
export function nonNullable(value: Value): Sql {
  return value.nullable ? sql`assumeNotNull(${value.sql})` : value.sql
}

export function typeName(type: Type): string {
  return SQL_TYPES[type]
}

/** The engine's nullable type for an APL type, as a string literal. */
export function nullableType(type: Type): Sql {
  return text(`Nullable(${SQL_TYPES[type]})`)
}

function literal(type: Type, value: LiteralValue): Sql {
  if (value === null) return nothing(type)
  if (typeof value === 'string') return text(value)
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  if (typeof value === 'number') return real(value)
  if (type === 'datetime') return sql`fromUnixTimestamp64Nano(${value}, 'UTC')`
  // The engine types a large literal as unsigned, which has no common type with Int64.
  return value > 0x7fff_ffffn ? sql`toInt64(${value})` : sql`${value}`
}

function real(value: number): Sql {
  if (!Number.isFinite(value)) return sql`toFloat64(${text(String(value))})`
  const digits = String(value)
  const written = /[.e]/.test(digits) ? digits : `${digits}.0`
  return raw(value < 0 || Object.is(value, -0) ? `(${written})` : written)
}

/** SQL at most this long is repeated: the engine computes equal expressions once. */
const SHORT = 120

/** The maximum number of characters that a function adds to the SQL of its arguments by repeating it. */
const MAX_GROWTH = 20_000

/**
 * Uses a value several times but computes it once. Long SQL is bound to a name, or nested
 * expressions would double the statement at every level. The name is derived from the SQL, so that
 * an inner binding that shadows an outer one has the same value.
 */
export function once(value: Sql, body: (value: Sql) => Sql): Sql {
  return onceEach([value], ([one]) => body(one!))
}

/** True for the SQL of a column, which need not be computed: a name, without parentheses. */
export function isColumn({ text }: Sql): boolean {
  return !text.includes('(')
}

/** Computes a value once even in a condition that the engine may skip, where it computes equal expressions several times. */
export function bind(value: Sql, body: (name: Sql) => Sql): Sql {
  const name = nameOf(value)
  return sql`arrayElement(arrayMap(${name} -> ${body(name)}, [${value}]), 1)`
}

function nameOf({ text }: Sql): Sql {
  return raw(`v${hash('sha256', text, 'hex').slice(0, 16)}`)
}

type Body = (values: readonly Sql[]) => Sql

/** Uses each of several values several times but computes each once. */
export function onceEach(values: readonly Sql[], body: Body): Sql {
  return bindSome(values, ({ text }) => text.length > SHORT, body)
}

/** As `bind`, for the values that the body uses several times. */
export function bindRepeated(values: readonly Sql[], body: Body): Sql {
  const { text } = body(values.map(nameOf))
  return bindSome(values, (value) => text.split(nameOf(value).text).length > 2, body)
}

function bindSome(values: readonly Sql[], isBound: (value: Sql) => boolean, body: Body): Sql {
  const used = values.map((value) => (isBound(value) ? nameOf(value) : value))
  if (used.every((value, i) => value === values[i])) return body(values)
  const bound = new Map(
    values.flatMap((value, i) => (used[i] === value ? [] : [[used[i]!.text, value]])),
  )
  const names = list([...bound.keys()].map(raw))
  const arrays = list([...bound.values()].map((value) => sql`[${value}]`))
  return sql`arrayElement(arrayMap((${names}) -> ${body(used)}, ${arrays}), 1)`
}

/**
 * Applies a function to its arguments. When it makes their SQL much longer by repeating them, they
 * are bound to names, so that the statement grows linearly with the depth of nesting.
 */
export function bounded(
  values: readonly Value[],
  apply: (values: readonly Value[]) => Value,
): Value {
  const value = apply(values)
  const given = values.reduce((sum, { sql }) => sum + sql.text.length, 0)
  const length = Math.max(value.sql.text.length, value.filter?.text.length ?? 0)
  if (length <= given + MAX_GROWTH) return value
  const bound = onceEach(
    values.map((one) => one.sql),
    (names) => apply(values.map((one, i) => named(one, names[i]!))).sql,
  )
  // A long list of literals is no reason to lose the filter.
  if (bound.text.length > length - MAX_GROWTH) return value
  return { sql: bound, type: value.type, nullable: value.nullable }
}

/** Refers to a value by a name, except to a literal: some functions of the engine require literal arguments. */
function named(value: Value, name: Sql): Value {
  if (value.constant !== undefined) return value
  return { sql: name, type: value.type, nullable: value.nullable }
}
