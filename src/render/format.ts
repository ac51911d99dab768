import type { Renderer } from './renderer.js'
import type { LineFormat } from './transpose/line-encoding.js'

interface FormatFacts {
  /** Loads the renderer: a command prints in one format, and pays for that one only. */
  readonly renderer: () => Promise<Renderer>
  /** The extensions of files in this format. */
  readonly extensions: readonly string[]
  /** True where rows can be written as they arrive. */
  readonly isRowWise: boolean
  /** True where people read it: it is paged on a terminal, and a result without rows prints nothing. */
  readonly isForReading: boolean
  /** True where one line names the columns of all rows. */
  readonly hasHeading: boolean
  /** Lines that can be copied from the bytes of an answer, without decoding it. */
  readonly lines?: () => Promise<LineFormat>
  /** True where those lines are the elements of an array. */
  readonly isArray?: boolean
}

/** All output formats. A new one is a row here, in the order of the help, and a file beside this one. */
export const FORMATS = {
  table: {
    renderer: async () => (await import('./table.js')).renderTables,
    extensions: ['.txt'],
    isRowWise: true,
    isForReading: true,
    hasHeading: false,
  },
  record: {
    renderer: async () => (await import('./record.js')).renderRecords,
    extensions: [],
    isRowWise: true,
    isForReading: true,
    hasHeading: false,
  },
  ndjson: {
    renderer: async () => (await import('./ndjson.js')).renderNdjson,
    extensions: ['.ndjson', '.jsonl'],
    isRowWise: true,
    isForReading: false,
    hasHeading: false,
    lines: async () => (await import('./ndjson.js')).NDJSON_LINES,
  },
  json: {
    renderer: async () => (await import('./json.js')).renderJson,
    extensions: ['.json'],
    isRowWise: true,
    isForReading: false,
    hasHeading: false,
    lines: async () => (await import('./ndjson.js')).NDJSON_LINES,
    isArray: true,
  },
  csv: {
    renderer: async () => (await import('./csv.js')).renderCsv,
    extensions: ['.csv'],
    isRowWise: true,
    isForReading: false,
    hasHeading: true,
    lines: async () => (await import('./csv.js')).CSV_LINES,
  },
  tsv: {
    renderer: async () => (await import('./tsv.js')).renderTsv,
    extensions: ['.tsv'],
    isRowWise: true,
    isForReading: false,
    hasHeading: true,
    lines: async () => (await import('./tsv.js')).TSV_LINES,
  },
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
    isRowWise: false,
    isForReading: true,
    hasHeading: false,
  },
} as const satisfies Readonly<Record<string, FormatFacts>>

/** A format that results can be written in. */
export type Format = keyof typeof FORMATS

/** A format whose rows can be written as they arrive. */
export type RowFormat = {
  [Name in Format]: (typeof FORMATS)[Name]['isRowWise'] extends true ? Name : never
}[Format]

/** What is known of a format. */
export function factsOf(format: Format): FormatFacts {
  return FORMATS[format]
}

/** The formats by name, in the order of the help. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[]

/** Those of them whose rows can be written as they arrive. */
export const ROW_FORMATS = FORMAT_NAMES.filter(isRowFormat)

/** True for a format whose rows can be written as they arrive. */
export function isRowFormat(format: Format): format is RowFormat {
  return FORMATS[format].isRowWise
}
