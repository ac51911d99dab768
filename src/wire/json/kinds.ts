/** The kinds of JSON values in a field, as a set of bits. Sets can be merged by `|`. */
export type Kinds = number

export const KIND = {
  int: 1,
  real: 2,
  string: 4,
  bool: 8,
  /**
   * Objects in a field that also has other values, integers that need the 64th bit, and fields spelled in two ways.
   */
  other: 16,
  /** An integer that a double cannot hold exactly; set in addition to `int`. */
  long: 32,
  /** A map: an object whose members are values of one dynamic field. */
  map: 64,
  array: 128,
} as const

/** The type of a typed column. An array is its JSON text, as it is in the event. */
export type TypedColumnType = 'int' | 'real' | 'string' | 'bool' | 'array'

const TYPES: ReadonlyMap<Kinds, TypedColumnType> = new Map([
  [KIND.int, 'int'],
  [KIND.int | KIND.long, 'int'],
  [KIND.real, 'real'],
  [KIND.real | KIND.int, 'real'],
  [KIND.string, 'string'],
  [KIND.bool, 'bool'],
  [KIND.array, 'array'],
])

/** Returns the type that holds values of all these kinds exactly; undefined if there is no such type. */
export function typeOfKinds(kinds: Kinds): TypedColumnType | undefined {
  return TYPES.get(kinds)
}

/** True when a column of this type holds a value of any of these kinds as it is. */
export function holds(type: TypedColumnType, kinds: Kinds): boolean {
  if (type === 'int') return (kinds & KIND.int) !== 0 && (kinds & ~(KIND.int | KIND.long)) === 0
  return kinds === KIND[type] || (type === 'real' && kinds === KIND.int)
}

/** The types of columns; doubles, which hold integers as well, are before integers. */
const COLUMN_TYPES: readonly TypedColumnType[] = ['string', 'real', 'int', 'bool', 'array']

/**
 * Returns the types that a column for values of these kinds may have: their common type, or else each type that some of the values
 * have, so that all others are in the remainders of events. A column of doubles would have another number in place of a long integer.
 */
export function columnTypes(kinds: Kinds): readonly TypedColumnType[] {
  const common = typeOfKinds(kinds)
  if (common !== undefined) return [common]
  if ((kinds & (KIND.other | KIND.map)) !== 0) return []
  return COLUMN_TYPES.filter(
    (type) => (kinds & KIND[type]) !== 0 && (type !== 'real' || (kinds & KIND.long) === 0),
  )
}

/** Returns the type of a typed field in results. */
export function wireTypeOfKinds(kinds: Kinds): string {
  if ((kinds & KIND.real) !== 0) return (kinds & KIND.int) === 0 ? 'float' : 'float|integer'
  if ((kinds & KIND.int) !== 0) return 'integer'
  if ((kinds & KIND.bool) !== 0) return 'boolean'
  return (kinds & KIND.array) !== 0 ? 'array' : 'string'
}
