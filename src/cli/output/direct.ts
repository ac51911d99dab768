import type { Writable } from 'node:stream'
import { arrayElements, arrayEnd, type LineFormat } from '../../render/transpose/line-encoding.js'
import { headingBytes, type RowSelection, rowBytes } from '../../render/transpose/rows.js'
import type { ScannedResponse } from '../../render/transpose/scan-response.js'
import { writeBytes } from '../../render/write.js'
import { checkColumns, columnNames } from './columns.js'
import type { PrintFlags } from './flags.js'

/** Writes the rows of a response directly from its bytes. */
export async function writeDirectly(
  out: Writable,
  response: ScannedResponse,
  { lines, isArray, columns, header = true }: PrintFlags & { lines: LineFormat; isArray: boolean },
): Promise<void> {
  const wanted = columns === undefined ? undefined : columnNames(columns)
  const { tables } = response.result
  if (wanted !== undefined) checkColumns(tables, wanted)
  const selections = tables.map(({ fields }, table) => {
    const names = fields.map(({ name }) => name)
    const positions = wanted?.map((name) => names.indexOf(name)).filter((at) => at !== -1)
    return { table, columns: positions }
  })
  if (isArray) return await writeBytes(out, elements(response, { lines, selections }))
  let above: Buffer = Buffer.alloc(0)
  for (const selection of selections) {
    const heading = await headingBytes(lines, response, selection)
    if (header && !heading.equals(above)) await writeBytes(out, [heading])
    above = heading
    await writeBytes(out, rowBytes(lines, response, selection))
  }
}

/** Yields the rows of all tables as one array. */
function* elements(
  response: ScannedResponse,
  { lines, selections }: { lines: LineFormat; selections: readonly RowSelection[] },
): Iterable<Uint8Array> {
  let isEmpty = true
  for (const selection of selections) {
    for (const piece of rowBytes(lines, response, selection)) {
      yield arrayElements(piece, isEmpty)
      isEmpty = false
    }
  }
  yield Buffer.from(arrayEnd(isEmpty))
}
