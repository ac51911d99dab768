import type { Type } from './type.js'

/** A field of a dataset as a query sees it. */
export interface Field {
  /** The flat name: `geo.city` for `{"geo": {"city": …}}`. */
  readonly name: string
  readonly type: Type
}

/** What a query may refer to: the datasets there are and the fields of each. */
export interface Schema {
  readonly datasets: readonly string[]
  /** The fields in the order of a result's columns; undefined when there is no such dataset. */
  fields(dataset: string): readonly Field[] | undefined
}

const positions = new WeakMap<readonly Field[], ReadonlyMap<string, number>>()

/** The position of each field by its name, in their order; made once for each list of fields. */
export function positionsOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const known = positions.get(fields)
  if (known !== undefined) return known
  const made = new Map(fields.map(({ name }, i) => [name, i]))
  positions.set(fields, made)
  return made
}
