import type { Table } from '../wire/http/query.js'

/** How a result is to be written, whatever the format. */
export interface RenderOptions {
  /** Whether CSV and tables begin with the names of their columns. */
  readonly header: boolean
  readonly color: boolean
  /** Whether a terminal reads it: characters that would steer it are then shown instead of sent. */
  readonly isTerminal: boolean
  /** Whether what reads it has no more signs than ASCII, which matters to what is drawn. */
  readonly ascii?: boolean
  /** How many columns of text there are room for; without it nothing is cut. */
  readonly width?: number | undefined
  /** How many rows of the same result were written before these, where it comes in parts. */
  readonly before?: number
  /** Takes a sentence about what can't be shown as it was asked for. */
  readonly note?: (text: string) => void
}

/** Returns the text of a result, in pieces of any size. */
export type Renderer = (
  tables: readonly Table[],
  options: RenderOptions,
) => Iterable<string> | Promise<Iterable<string>>
