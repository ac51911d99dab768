import { memoized } from '../text/memoized.js'
import type { Type } from './type.js'

/** A field of a dataset as a query sees it. */
export interface Field {
  /** The flat name: `geo.city` for `{"geo": {"city": …}}`. */
  readonly name: string
  readonly type: Type
  /** The name of the type in the interface, if it is more exact: `integer|string`. */
  readonly wireType?: string
}

/** The datasets that a query can refer to, with their fields. */
export interface Schema {
  /** The names of the datasets, sorted. */
  readonly datasets: readonly string[]
  /** Returns the fields in the order of the result's columns; undefined if there is no such dataset. */
  fields(dataset: string): readonly Field[] | undefined
}

/** Returns the position of each field by name, in order. */
export const positionsOf = memoized(
  (fields: readonly Field[]): ReadonlyMap<string, number> =>
    new Map(fields.map(({ name }, i) => [name, i])),
)
