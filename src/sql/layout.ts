import type { Type } from '../apl/type.js'

/**
 * How a dataset lies in the engine: a table of event texts (`line`) with typed columns beside it
 * for the frequent fields. The text is the truth; a typed column only makes it quicker to read.
 *
 * Columns every table has: `_time` and `_sysTime` DateTime64(9,'UTC'), `_seq` UInt64 (unique, ordered),
 * `_batch` and `_batchHigh` UInt64 (which batch brought the row), `line` String. Sorted by (`_time`, `_seq`).
 */
export interface Layout {
  /** The table's name in the database of datasets; equal to the dataset's name. */
  readonly table: string
  /** All fields found in any event, `_time` and `_sysTime` included, in the order of a result's columns. */
  readonly fields: readonly FieldLayout[]
}

const byName = new WeakMap<Layout, ReadonlyMap<string, FieldLayout>>()

/** The fields by name; made once for each layout. */
export function layoutsByName(layout: Layout): ReadonlyMap<string, FieldLayout> {
  const known = byName.get(layout)
  if (known !== undefined) return known
  const made = new Map(layout.fields.map((field) => [field.name, field]))
  byName.set(layout, made)
  return made
}

/** The places at which events have objects: each key leads to those within it. */
export interface Objects extends ReadonlyMap<string, Objects> {}

const objects = new WeakMap<Layout, Objects>()

/** The places at which events of a dataset have objects; made once for each layout. */
export function objectsOf(layout: Layout): Objects {
  const known = objects.get(layout)
  if (known !== undefined) return known
  const top: ObjectsMade = new Map()
  for (const path of layout.fields.flatMap(({ paths }) => paths)) {
    let at = top
    for (const key of path.slice(0, -1)) {
      const inner = at.get(key) ?? new Map()
      at.set(key, inner)
      at = inner
    }
  }
  objects.set(layout, top)
  return top
}

interface ObjectsMade extends Map<string, ObjectsMade> {}

/** True when some events have an object at this place. */
export function hasObject(all: Objects, path: readonly string[]): boolean {
  let at: Objects | undefined = all
  for (const key of path) at = at?.get(key)
  return at !== undefined
}

/** Where a field's values are, and of which type. */
export interface FieldLayout {
  readonly name: string
  /** `dynamic` unless every value ever stored is of this one type (or, for `real`, is a number that a double holds exactly). */
  readonly type: Type
  /** The result's name of the type, unions in full: `integer`, `float|integer`, `array|string`; '' when not known. */
  readonly wireType: string
  /** The typed column that holds it; without one it is read from the text. */
  readonly column?: string
  /** Where in an event's JSON it may stand: `[["geo", "city"]]`, or also `["geo.city"]` when written so. */
  readonly paths: readonly (readonly string[])[]
}
