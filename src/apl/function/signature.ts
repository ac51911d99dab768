import type { Type } from '../type.js'

/** What a function or aggregation takes and gives: read by the checks, the messages and the help. */
export interface Signature {
  readonly parameters: readonly Parameter[]
  readonly result: ResultType
  /** One line: what it gives. */
  readonly summary: string
}

/** One argument of a call, or with `repeated` any number of them. */
export interface Parameter {
  readonly name: string
  /** `dynamic` values are taken everywhere: their type shows at run time. */
  readonly accepts: readonly Type[]
  readonly optional?: true
  /** May be given any number of times; only the last parameter. */
  readonly repeated?: true
  /** Must be written out as a literal. */
  readonly constant?: true
  /** Holds a regex of RE2; one that is written out is looked at before the query runs. */
  readonly regex?: true
}

/** The result's type, or how it follows from the types of the arguments. */
type ResultType = Type | ((types: readonly Type[]) => Type)

/** Every type. */
export const ANY: readonly Type[] = [
  'bool',
  'int',
  'real',
  'string',
  'datetime',
  'timespan',
  'dynamic',
]
/** What can be added up: a timespan is a number of nanoseconds. */
export const NUMBER: readonly Type[] = ['int', 'real', 'timespan']
/** Numbers that are no length of time: the root of an hour is nothing. */
export const PLAIN_NUMBER: readonly Type[] = ['int', 'real']
/** The types whose values come one before the other. */
export const ORDERED: readonly Type[] = ['int', 'real', 'string', 'datetime', 'timespan', 'bool']

/** The one type that holds values of all these types: their own when they agree, else `dynamic`. */
export function common(types: readonly Type[]): Type {
  const distinct = new Set(types)
  if (distinct.size === 1) return types[0]!
  if (distinct.size === 2 && distinct.has('int') && distinct.has('real')) return 'real'
  return 'dynamic'
}

/** The type of the first argument. */
export function first(types: readonly Type[]): Type {
  return types[0] ?? 'dynamic'
}

/** What says, in the aggregations whose names end in `if`, which rows take part. */
export const PREDICATE: Parameter = { name: 'predicate', accepts: ['bool'] }
