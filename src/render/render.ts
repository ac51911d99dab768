import type { Writable } from 'node:stream'
import type { Table } from '../wire/query.js'
import { writeText } from './write.js'

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
  readonly say?: (text: string) => void
}

/** The text of a result, in pieces of any size. */
type Renderer = (
  tables: readonly Table[],
  options: RenderOptions,
) => Iterable<string> | Promise<Iterable<string>>

/** Each is loaded when it is asked for, since a command prints in one of them. */
const RENDERERS = {
  table: async () => (await import('./table.js')).renderTables,
  record: async () => (await import('./record.js')).renderRecords,
  ndjson: async () => (await import('./ndjson.js')).renderNdjson,
  json: async () => (await import('./json.js')).renderJson,
  csv: async () => (await import('./csv.js')).renderCsv,
  tsv: async () => (await import('./tsv.js')).renderTsv,
  markdown: async () => (await import('./markdown.js')).renderMarkdown,
  chart: async () => (await import('./chart/render-chart.js')).renderCharts,
} as const satisfies Record<string, () => Promise<Renderer>>

/** A format that results can be written in. */
export type Format = keyof typeof RENDERERS

/** The formats by name, as the help lists them. */
export const FORMATS = Object.keys(RENDERERS) as readonly Format[]

/** The tables of a result as text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
): Promise<Iterable<string>> {
  const renderer: Renderer = await RENDERERS[options.format]()
  return renderer(tables, options)
}

/** Writes the tables of a result as text; resolves when all of it has left, at the reader's pace. */
export async function render(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
  out: Writable,
): Promise<void> {
  await writeText(out, await renderPieces(tables, options))
}
