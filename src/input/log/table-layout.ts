import type { AlignedColumns } from './aligned-columns.js'

/** The columns of lines, as their header names them. */
export interface TableLayout {
  readonly columns: readonly string[]
  /** Missing when any number of spaces separates the columns, or the columns are aligned. */
  readonly delimiter?: string
  /** True when spaces fill the values in front of the delimiter, or follow a comma. */
  readonly isPadded?: boolean
  /** True when the header begins with `#`: other such lines, as with the units of the columns, are no rows. */
  readonly hasNotes?: boolean
  /** The places of columns that are aligned. */
  readonly aligned?: AlignedColumns
  /** The texts that stand for a missing value. */
  readonly missing: readonly string[]
  /** The column with the time, or the columns with date and time. */
  readonly time?: readonly string[]
  /** The date of all rows, whose column has a clock only. Their headers begin with a time, too. */
  readonly date?: string
  /** The layout of the time; missing for a time in a usual format. */
  readonly timeLayout?: string
  /** Identifies the column with the level, and how it is read. */
  readonly levelSource?: string
  /** The columns of booleans, `T` or `F`. */
  readonly booleans?: readonly string[]
}
