import { FORMATS as ALL } from '../../../src/render/format.js'

export const FORMATS = ['ndjson', 'csv', 'tsv'] as const
export type LineFormat = (typeof FORMATS)[number]

export const LINES = {
  ndjson: await ALL.ndjson.lines(),
  csv: await ALL.csv.lines(),
  tsv: await ALL.tsv.lines(),
}
