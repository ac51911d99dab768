import type { Type } from '../apl/type.js'
import { memoized } from '../text/memoized.js'
import type { TokenIndex } from './token-index.js'

/**
 * The storage layout of a dataset: a table with typed columns for frequent fields, and the *remainder* of each event (`line`): the
 * members that no column holds, as a JSON object. It is empty when columns hold all values. A value in both places is the same in
 * both.
 *
 * Columns of every table: `_time` and `_sysTime` DateTime64(9,'UTC'), `_seq` UInt64 (unique, ordered),
 * `_batch` FixedString(16) (the batch that the row belongs to), `line` String. Sorted by (`_time`, `_seq`).
 */
export interface Layout {
  /** The table's name in the database of datasets; equal to the dataset's name. */
  readonly table: string
  /** All fields found in any event, including `_time` and `_sysTime`, in the order of a result's columns. */
  readonly fields: readonly FieldLayout[]
  /** The order of events in a result that the query does not sort; by default newest first. */
  readonly order?: 'arrival'
  /** The token indexes of the table; merges build them, newer parts do not have them. */
  readonly tokenIndexes?: readonly TokenIndex[]
}

export const layoutsByName = memoized(
  ({ fields }: Layout): ReadonlyMap<string, FieldLayout> =>
    new Map(fields.map((field) => [field.name, field])),
)

/** A tree of the paths at which events contain objects, by key. */
interface Objects extends ReadonlyMap<string, Objects> {}

/** Returns the paths at which events of a dataset contain objects. */
export const objectsOf = memoized((layout: Layout): Objects => {
  const top: ObjectsMade = new Map()
  for (const path of layout.fields.flatMap(({ paths }) => paths)) {
    let at = top
    for (const key of path.slice(0, -1)) {
      const inner = at.get(key) ?? new Map()
      at.set(key, inner)
      at = inner
    }
  }
  return top
})

interface ObjectsMade extends Map<string, ObjectsMade> {}

/** True when some events have an object at this path. */
export function hasObject(all: Objects, path: readonly string[]): boolean {
  let at: Objects | undefined = all
  for (const key of path) at = at?.get(key)
  return at !== undefined
}

export interface FieldLayout {
  readonly name: string
  /** `dynamic` unless every value ever stored is of this type (for `real`: is a number that a double represents exactly). */
  readonly type: Type
  /** The wire name of the type, with unions in full: `integer`, `float|integer`, `array|string`; empty when unknown. */
  readonly wireType: string
  /** The typed column, which has JSON texts if the type is dynamic; without one, the field is read from the remainder of the events. */
  readonly column?: string
  /** The paths of the field in the JSON of an event: `[["geo", "city"]]`, or also `["geo.city"]` when the key is dotted. */
  readonly paths: readonly (readonly string[])[]
  /**
   * For a field that is read from `line`: the columns that have its values in some rows; for an object, also the columns of its
   * members.
   */
  readonly inColumns?: readonly StoredLeaf[]
}

/** A column with the values at one path of the events. */
export interface StoredLeaf {
  readonly column: string
  readonly type: Type
  readonly path: readonly string[]
}
