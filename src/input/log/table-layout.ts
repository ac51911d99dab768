/** The columns of lines, as their header names them. */
export interface TableLayout {
  readonly columns: readonly string[]
  /** Missing for columns between which there are any number of spaces. */
  readonly delimiter?: string
  /** Values that mean that there is none. */
  readonly missing: readonly string[]
  /** The column with the time, or those with date and time, and then the layout of both. */
  readonly time?: readonly string[]
  readonly timeLayout?: string
  /** The columns of booleans, `T` or `F`. */
  readonly booleans?: readonly string[]
}
