import type { Table } from '../wire/http/tabular-result.js'
import { escapeControls } from './escape-controls.js'
import type { Color } from './terminal-text.js'

export interface RenderOptions {
  /** False omits the names of the columns in CSV, TSV, Markdown and tables. */
  readonly header: boolean
  readonly color: Color
  /** Available columns; without it nothing is truncated. */
  readonly width?: number | undefined
  /** Number of rows of the same result that were written before. */
  readonly before?: number
  /** Reports that the result is shown in another way than requested. */
  readonly note?: (text: string) => void
}

/** Returns the text of a result, in pieces of any size. */
export type Renderer = (
  tables: readonly Table[],
  options: RenderOptions,
) => Iterable<string> | Promise<Iterable<string>>

/** Returns the heading of one of several tables; undefined for a single table. */
export function tableTitle(tables: readonly Table[], number: number): string | undefined {
  if (tables.length < 2) return undefined
  const { name } = tables[number]!
  // Services without table names number them.
  const isNamed = name !== '' && !/^\d+$/.test(name)
  return `Table ${number + 1} of ${tables.length}${isNamed ? `: ${escapeControls(name)}` : ''}`
}

/** Yields the pieces of several texts one after the other. */
export function* chain(pieces: readonly Iterable<string>[]): Iterable<string> {
  for (const piece of pieces) yield* piece
}
