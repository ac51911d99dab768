import { TYPES, type Type } from '../type.js'

/** The signature of a function or aggregation, used by the checks, the messages and the help. */
export interface Signature {
  readonly parameters: readonly Parameter[]
  /** The parameters as the reference lists them. */
  readonly form: string
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
  readonly optional: boolean
  /** Accepts any number of arguments; only for the last parameter. */
  readonly repeated: boolean
  readonly constant: boolean
  /** Accepts a regex of RE2; constant ones are checked before the query runs. */
  readonly regex: boolean
}

/**
 * Returns a function that completes a signature; functions with the same parameters and result share it. The parameters are written
 * as in the reference: `value: int|real, [digits: int]`, without types for any value, and `…` after a last one that takes any number
 * of arguments. `const` requires a constant, and the type `regex` a regular expression.
 */
export function signature(
  parameters: string,
  result: ResultType,
): (summary: string, example: string) => Signature {
  const parsed = parametersIn(parameters)
  const form = parameters.replaceAll('const ', '').replaceAll(': regex', ': string')
  return (summary, example) => ({ parameters: parsed, form, result, summary, example })
}

/** `key, value, …` is one parameter for arguments of any number. */
const PARAMETER = /(\[?)(const )?(\w+(?:, \w+)*(?=, …)|\w+)(?:: ([\w|]+))?(, …)?\]?(?:, |$)/g

function parametersIn(written: string): readonly Parameter[] {
  return Array.from(written.matchAll(PARAMETER), ([, open, constant, name = '', types, more]) => ({
    name,
    accepts:
      types === 'regex' ? ['string'] : types === undefined ? TYPES : (types.split('|') as Type[]),
    optional: open !== '',
    repeated: more !== undefined,
    constant: constant !== undefined,
    regex: types === 'regex',
  }))
}

/** Returns the least and the largest number of arguments that a signature accepts. */
export function argumentRange({ parameters }: Signature): readonly [least: number, most: number] {
  const least = parameters.filter(({ optional }) => !optional).length
  return [least, parameters.at(-1)?.repeated ? Number.POSITIVE_INFINITY : parameters.length]
}

type ResultType = Type | ((types: readonly Type[]) => Type)

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
