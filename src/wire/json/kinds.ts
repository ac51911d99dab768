/**
 * The kinds of JSON value that a field was seen to hold, as a set of bits: writers that know
 * different parts of it can be combined by `or`, in any order.
 */
export type Kinds = number

export const KIND = {
  int: 1,
  real: 2,
  string: 4,
  bool: 8,
  /** Arrays, objects where there were values, integers that need the 64th bit, two spellings of one name. */
  other: 16,
  /** An integer that a double can't hold exactly; comes with `int`. */
  long: 32,
  /** A map: an object whose members are values of one dynamic field, not fields of their own. */
  map: 64,
} as const

/** The types that have a typed column. */
export type TypedColumnType = 'int' | 'real' | 'string' | 'bool'

const TYPES: ReadonlyMap<Kinds, TypedColumnType> = new Map([
  [KIND.int, 'int'],
  [KIND.int | KIND.long, 'int'],
  [KIND.real, 'real'],
  [KIND.real | KIND.int, 'real'],
  [KIND.string, 'string'],
  [KIND.bool, 'bool'],
])

/** The one type that holds all of these kinds exactly, if there is one. */
export function typeOfKinds(kinds: Kinds): TypedColumnType | undefined {
  return TYPES.get(kinds)
}

/** The result's name of a typed field's type. */
export function wireTypeOfKinds(kinds: Kinds): string {
  if ((kinds & KIND.real) !== 0) return (kinds & KIND.int) === 0 ? 'float' : 'float|integer'
  if ((kinds & KIND.int) !== 0) return 'integer'
  return (kinds & KIND.bool) !== 0 ? 'boolean' : 'string'
}
