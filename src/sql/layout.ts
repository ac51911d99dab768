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
