import { ResponsePage } from '../../src/cli/output/response-page.js'
import { RowSink } from '../../src/cli/output/rows.js'
import { type CopiedFormat, type Format, isCopied, renderPieces } from '../../src/render/format.js'
import type { RenderOptions } from '../../src/render/renderer.js'
import { writtenResponse } from '../../src/render/transpose/scan-response.js'
import type { Table } from '../../src/wire/http/tabular-result.js'
import type { JsonText } from '../../src/wire/json/json-text.js'
import { silentContext } from '../support/fake-io.js'

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
  if (isCopied(format)) return await copied(format, tables, options)
  const whole = { header: true, color: 'none' as const, ...options }
  const pieces = await renderPieces(tables, { format, ...whole })
  // As UTF-8, which has no unpaired surrogates.
  return Buffer.from([...pieces].join('')).toString('utf8')
}

async function copied(
  format: CopiedFormat,
  tables: readonly Table[],
  { header }: Partial<RenderOptions>,
): Promise<string> {
  const pieces: Buffer[] = []
  const context = silentContext()
  const target = {
    out: context.io.stdout,
    copy: (piece: Uint8Array) => piece,
    write: async (piece: Uint8Array | string) => void pieces.push(Buffer.from(piece as string)),
  }
  const rows = new RowSink({ format, header, target }, context)
  for (const page of ResponsePage.eachOf(writtenResponse({ tables }))) await rows.write(page)
  await rows.end()
  return Buffer.concat(pieces).toString('utf8')
}
