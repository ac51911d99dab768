/**
 * The static type of an APL value. `dynamic` values have a type only at run time: arrays, objects, fields with values
 * of several types, and `null`.
 */
export type Type = 'bool' | 'int' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic'

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
  bool: 'bool',
  boolean: 'bool',
  date: 'datetime',
  datetime: 'datetime',
  double: 'real',
  dynamic: 'dynamic',
  int: 'int',
  long: 'int',
  real: 'real',
  string: 'string',
  time: 'timespan',
  timespan: 'timespan',
}
