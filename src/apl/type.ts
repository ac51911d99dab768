/**
 * The static type of an APL value. `dynamic` is anything whose type shows only at run time: arrays,
 * objects, fields that hold several types, `null` itself.
 */
export type Type = 'bool' | 'int' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic'

/** The words for the types; each also holds a literal of its type in parentheses. */
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

/** Whether a word stands for a type. */
export function isTypeWord(word: string): boolean {
  return Object.hasOwn(TYPE_WORDS, word)
}
