import type { Writable } from 'node:stream'
import type { Table } from '../wire/query.js'
import { renderCharts } from './chart/render-chart.js'
import { renderCsv } from './csv.js'
import { renderJson } from './json.js'
import { renderMarkdown } from './markdown.js'
import { renderNdjson } from './ndjson.js'
import { renderRecords } from './record.js'
import { renderTables } from './table.js'
import { renderTsv } from './tsv.js'
import { writeText } from './write.js'

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
  /** Takes a sentence about what can't be shown as it was asked for. */
  readonly say?: (text: string) => void
}

/** The text of a result, in pieces of any size. */
export type Renderer = (
  tables: readonly Table[],
  options: RenderOptions,
) => Iterable<string> | Promise<Iterable<string>>

const RENDERERS = {
  table: renderTables,
  record: renderRecords,
  ndjson: renderNdjson,
  json: renderJson,
  csv: renderCsv,
  tsv: renderTsv,
  markdown: renderMarkdown,
  chart: renderCharts,
} as const satisfies Record<string, Renderer>

export type Format = keyof typeof RENDERERS

export const FORMATS = Object.keys(RENDERERS) as readonly Format[]

/** The tables of a result as text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
): Promise<Iterable<string>> {
  return RENDERERS[options.format](tables, options)
}

/** Writes the tables of a result as text; resolves when all of it has left, at the reader's pace. */
export async function render(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: Format },
  out: Writable,
): Promise<void> {
  await writeText(out, await renderPieces(tables, options))
}
