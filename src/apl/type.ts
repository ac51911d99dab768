/**
 * The static types of APL values. `dynamic` values have a type only at run time: arrays, objects, fields with values
 * of several types, and `null`.
 */
export const TYPES = ['bool', 'int', 'real', 'string', 'datetime', 'timespan', 'dynamic'] as const
export type Type = (typeof TYPES)[number]

/** The names of the types in the interface; empty for dynamic, whose values can be of any type. */
export const WIRE_TYPES: Readonly<Record<Type, string>> = {
  bool: 'boolean',
  int: 'integer',
  real: 'float',
  string: 'string',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: '',
}

/** The names of types; in front of a parenthesis, they introduce a literal. */
export const TYPE_WORDS: Readonly<Record<string, Type>> = {
  ...Object.fromEntries(TYPES.map((type) => [type, type])),
  boolean: 'bool',
  date: 'datetime',
  double: 'real',
  long: 'int',
  time: 'timespan',
}
