import type { Type } from '../type.js'

/** The signature of a function or aggregation, used by the checks, the messages and the help. */
export interface Signature {
  readonly parameters: readonly Parameter[]
  readonly result: ResultType
  /** One line that describes the result. */
  readonly summary: string
  /** A query that runs; one that prints a constant ends with a comment, which is the JSON text of the value. */
  readonly example: string
}

export interface Parameter {
  readonly name: string
  /** The accepted types, in addition to `dynamic`, whose type is known only at run time. */
  readonly accepts: readonly Type[]
  readonly optional?: true
  /** Accepts any number of arguments; only for the last parameter. */
  readonly repeated?: true
  readonly constant?: true
  /** Accepts a regex of RE2; constant ones are checked before the query runs. */
  readonly regex?: true
}

/** Returns a function that completes a signature; functions with the same parameters and result share it. */
export function signature(
  parameters: readonly Parameter[],
  result: ResultType,
): (summary: string, example: string) => Signature {
  return (summary, example) => ({ parameters, result, summary, example })
}

export function parameter(name: string, ...accepts: readonly Type[]): Parameter {
  return { name, accepts }
}

export function optional(name: string, ...accepts: readonly Type[]): Parameter {
  return { name, accepts, optional: true }
}

/** Returns a last parameter that takes any number of arguments. */
export function repeated(name: string, ...accepts: readonly Type[]): Parameter {
  return { name, accepts, repeated: true }
}

export function constant(name: string, ...accepts: readonly Type[]): Parameter {
  return { name, accepts, constant: true }
}

/** The type of the result, or a function of the types of the arguments. */
type ResultType = Type | ((types: readonly Type[]) => Type)

export const ANY: readonly Type[] = [
  'bool',
  'int',
  'real',
  'string',
  'datetime',
  'timespan',
  'dynamic',
]
/** The types that can be summed: a timespan is a number of nanoseconds. */
export const NUMBER: readonly Type[] = ['int', 'real', 'timespan']
/** The numeric types without timespans, for functions such as `sqrt`. */
export const PLAIN_NUMBER: readonly Type[] = ['int', 'real']
export const ORDERED: readonly Type[] = ['int', 'real', 'string', 'datetime', 'timespan', 'bool']

/** Returns the common type of several types: the same type, `real` for integers and reals, or else `dynamic`. */
export function common(types: readonly Type[]): Type {
  const distinct = new Set(types)
  if (distinct.size === 1) return types[0]!
  if (distinct.size === 2 && distinct.has('int') && distinct.has('real')) return 'real'
  return 'dynamic'
}

export function first(types: readonly Type[]): Type {
  return types[0] ?? 'dynamic'
}

/** The parameter that selects rows in the aggregations whose names end in `if`. */
export const PREDICATE = parameter('predicate', 'bool')

/** A regex of RE2. */
export const REGEX: Parameter = { ...parameter('regex', 'string'), regex: true }

export const VALUE = parameter('value', ...ANY)

export const TEXT = parameter('text', 'string')
