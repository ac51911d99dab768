const LINE_FORMATS = ['ndjson', 'csv', 'tsv'] as const

/** The formats that an answer can be turned into without reading its values. */
export type LineFormat = (typeof LINE_FORMATS)[number]

/** Whether a format is one of them. */
export function isLineFormat(format: string): format is LineFormat {
  return LINE_FORMATS.some((known) => known === format)
}
