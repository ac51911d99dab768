import { FORMATS as ALL } from '../../../src/render/format.js'
import type { Table } from '../../../src/wire/http/tabular-result.js'

export const FORMATS = ['ndjson', 'csv', 'tsv'] as const
export type LineFormat = (typeof FORMATS)[number]

export const LINES = {
  ndjson: await ALL.ndjson.lines(),
  csv: await ALL.csv.lines(),
  tsv: await ALL.tsv.lines(),
}

/** Returns the heading of the first table and the rows of all tables, value by value. */
export async function byValues(format: LineFormat, tables: readonly Table[]): Promise<string> {
  const { heading, encoding } = LINES[format]
  let text = ''
  for (const [index, { fields, columns }] of tables.entries()) {
    const names = fields.map(({ name }) => name)
    if (index === 0) text += await heading(names)
    const { form, keys, nullText, encode } = encoding(names)
    for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
      const cells = keys.map((key, column) => {
        const cell = columns[column]![row]!
        return key + (cell === 'null' ? nullText : encode(cell))
      })
      text += `${cells.join('')}${form === 'ndjson' ? '}' : ''}\n`
    }
  }
  // As UTF-8, which has no unpaired surrogates.
  return Buffer.from(text).toString('utf8')
}
