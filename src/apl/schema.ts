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
