/** The kinds of JSON values in a field, as a set of bits. Sets can be merged by `|`. */
export type Kinds = number

export const KIND = {
  int: 1,
  real: 2,
  string: 4,
  bool: 8,
  /**
   * Arrays, objects in a field that also has other values, integers that need the 64th bit, and fields spelled in two ways.
   */
  other: 16,
  /** An integer that a double cannot hold exactly; set in addition to `int`. */
  long: 32,
  /** A map: an object whose members are values of one dynamic field. */
  map: 64,
  /** The other bits are the kinds of all values that were ever stored: a value of another kind is added before it is stored. */
  complete: 128,
} as const

export type TypedColumnType = 'int' | 'real' | 'string' | 'bool'

const TYPES: ReadonlyMap<Kinds, TypedColumnType> = new Map([
  [KIND.int, 'int'],
  [KIND.int | KIND.long, 'int'],
  [KIND.real, 'real'],
  [KIND.real | KIND.int, 'real'],
  [KIND.string, 'string'],
  [KIND.bool, 'bool'],
])

/** Returns the type that holds values of all these kinds exactly; undefined if there is no such type. */
export function typeOfKinds(kinds: Kinds): TypedColumnType | undefined {
  return TYPES.get(kinds & ~KIND.complete)
}

/** Returns the type of a typed field in results. */
export function wireTypeOfKinds(kinds: Kinds): string {
  if ((kinds & KIND.real) !== 0) return (kinds & KIND.int) === 0 ? 'float' : 'float|integer'
  if ((kinds & KIND.int) !== 0) return 'integer'
  return (kinds & KIND.bool) !== 0 ? 'boolean' : 'string'
}
