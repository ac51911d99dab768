import { type Format, renderPieces } from '../../src/render/format.js'
import type { RenderOptions } from '../../src/render/renderer.js'
import type { Table } from '../../src/wire/http/tabular-result.js'
import type { JsonText } from '../../src/wire/json/json-text.js'

/** Returns a table, given its columns: name, type and cells as JSON. */
export function tableOf(
  ...columns: readonly (readonly [name: string, type: string, cells: readonly JsonText[]])[]
): Table {
  return {
    name: '0',
    sources: [],
    fields: columns.map(([name, type]) => ({ name, type })),
    order: [],
    groups: [],
    columns: columns.map(([, , cells]) => cells),
  }
}

export async function rendered(
  format: Format,
  tables: readonly Table[],
  options: Partial<RenderOptions> = {},
): Promise<string> {
  const whole = { header: true, color: 'none' as const, ...options }
  const pieces = await renderPieces(tables, { format, ...whole })
  // As UTF-8, which has no unpaired surrogates.
  return Buffer.from([...pieces].join('')).toString('utf8')
}
