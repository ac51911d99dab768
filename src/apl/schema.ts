import type { Type } from './type.js'

/** A field of a dataset as a query sees it. */
export interface Field {
  /** The flat name: `geo.city` for `{"geo": {"city": …}}`. */
  readonly name: string
  readonly type: Type
}

/** The datasets that a query can refer to, with their fields. */
export interface Schema {
  readonly datasets: readonly string[]
  /** Returns the fields in the order of the result's columns; undefined if there is no such dataset. */
  fields(dataset: string): readonly Field[] | undefined
}

const positions = new WeakMap<readonly Field[], ReadonlyMap<string, number>>()

/** Returns the position of each field by name, in order. Cached per list of fields. */
export function positionsOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const known = positions.get(fields)
  if (known !== undefined) return known
  const made = new Map(fields.map(({ name }, i) => [name, i]))
  positions.set(fields, made)
  return made
}
