import type { Table } from '../wire/http/tabular-result.js'
import type { Renderer, RenderOptions } from './renderer.js'
import type { LineFormat } from './transpose/line-encoding.js'

interface FormatFacts {
  /** Loads the renderer on demand: a command uses only one format. Missing for formats with `lines`. */
  readonly renderer?: () => Promise<Renderer>
  readonly extensions: readonly string[]
  /** True when rows can be written as they arrive. */
  readonly isRowWise?: true
  /** True for formats meant for people: paged on a terminal, and empty for a result without rows. */
  readonly isForReading?: true
  /** True when one line names the columns of all rows. */
  readonly hasHeading?: true
  /** Loads the format of lines to which values are copied from the bytes of a response. */
  readonly lines?: () => Promise<LineFormat>
  /** True when `lines` are the elements of a JSON array. */
  readonly isArray?: true
}

/** Returns the facts of a format with a line per row. */
function lineFormat(name: 'NDJSON' | 'CSV' | 'TSV') {
  const lines = async (): Promise<LineFormat> => (await import('./lines.js'))[name]
  return { lines, isRowWise: true } as const
}

/** All output formats, in the order of the help. A new one is an entry here and a file in this folder. */
export const FORMATS = {
  table: {
    renderer: async () => (await import('./table.js')).renderTables,
    extensions: ['.txt'],
    isRowWise: true,
    isForReading: true,
  },
  record: {
    renderer: async () => (await import('./record.js')).renderRecords,
    extensions: [],
    isRowWise: true,
    isForReading: true,
  },
  ndjson: { ...lineFormat('NDJSON'), extensions: ['.ndjson', '.jsonl'] },
  json: { ...lineFormat('NDJSON'), extensions: ['.json'], isArray: true },
  csv: { ...lineFormat('CSV'), extensions: ['.csv'], hasHeading: true },
  tsv: { ...lineFormat('TSV'), extensions: ['.tsv'], hasHeading: true },
  markdown: {
    renderer: async () => (await import('./markdown.js')).renderMarkdown,
    extensions: ['.md', '.markdown'],
    isRowWise: true,
    isForReading: true,
    hasHeading: true,
  },
  chart: {
    renderer: async () => (await import('./chart/render-chart.js')).renderCharts,
    extensions: [],
    isForReading: true,
  },
  svg: {
    renderer: async () => (await import('./picture/picture.js')).renderSvg,
    extensions: ['.svg'],
  },
  html: {
    renderer: async () => (await import('./picture/picture.js')).renderHtml,
    extensions: ['.html', '.htm'],
  },
} as const satisfies Readonly<Record<string, FormatFacts>>

export type Format = keyof typeof FORMATS

/** A format whose rows can be written as they arrive. */
export type RowFormat = {
  [Name in Format]: (typeof FORMATS)[Name] extends { readonly isRowWise: true } ? Name : never
}[Format]

/** A format whose rows are copied from the bytes of a response. */
export type CopiedFormat = {
  [Name in Format]: (typeof FORMATS)[Name] extends { readonly lines: unknown } ? Name : never
}[Format]

/** A format that is made of decoded values. */
export type RenderedFormat = Exclude<Format, CopiedFormat>

export function isCopied(format: string): format is CopiedFormat {
  return Object.hasOwn(FORMATS, format) && 'lines' in FORMATS[format as Format]
}

export function factsOf(format: Format): FormatFacts {
  return FORMATS[format]
}

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[]

export const ROW_FORMATS = FORMAT_NAMES.filter(isRowFormat)

export function isRowFormat(format: string): format is RowFormat {
  return Object.hasOwn(FORMATS, format) && factsOf(format as Format).isRowWise === true
}

/** Renders the tables of a result to text, in pieces of any size. */
export async function renderPieces(
  tables: readonly Table[],
  options: RenderOptions & { readonly format: RenderedFormat },
): Promise<Iterable<string>> {
  const renderer: Renderer = await FORMATS[options.format].renderer()
  return renderer(tables, options)
}
