/**
 * The static type of an APL value. `dynamic` is anything whose type shows only at run time: arrays,
 * objects, fields that hold several types, `null` itself.
 */
export type Type = 'bool' | 'int' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic'
