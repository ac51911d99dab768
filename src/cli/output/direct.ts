import type { Writable } from 'node:stream'
import { arrayElements, arrayEnd } from '../../render/transpose/elements.js'
import type { LineFormat } from '../../render/transpose/line-format.js'
import { headerBytes, type RowSelection, rowBytes } from '../../render/transpose/rows.js'
import type { ScannedAnswer } from '../../render/transpose/scan-answer.js'
import { writeBytes } from '../../render/write.js'
import { checkColumns, columnNames } from './columns.js'
import type { PrintFlags } from './flags.js'

/** Writes the rows of an answer straight from its bytes. */
export async function writeDirectly(
  out: Writable,
  answer: ScannedAnswer,
  { format, columns, header = true }: PrintFlags & { readonly format: LineFormat | 'json' },
): Promise<void> {
  const wanted = columns === undefined ? undefined : columnNames(columns)
  const { tables } = answer.result
  if (wanted !== undefined) checkColumns(tables, wanted)
  const selections = tables.map(({ fields }, table) => {
    const names = fields.map(({ name }) => name)
    const positions = wanted?.map((name) => names.indexOf(name)).filter((at) => at !== -1)
    return { table, ...(positions && { columns: positions }) }
  })
  if (format === 'json') return await writeArray(out, answer, selections)
  let above: Buffer = Buffer.alloc(0)
  for (const selection of selections) {
    const heading = await headerBytes(format, answer, selection)
    if (header && !heading.equals(above)) await writeBytes(out, [heading])
    above = heading
    await writeBytes(out, rowBytes(format, answer, selection))
  }
}

/** The rows of all tables as one array. */
async function writeArray(
  out: Writable,
  answer: ScannedAnswer,
  selections: readonly RowSelection[],
): Promise<void> {
  let isEmpty = true
  function* elements(): Iterable<Uint8Array> {
    for (const selection of selections) {
      for (const lines of rowBytes('ndjson', answer, selection)) {
        yield arrayElements(lines, isEmpty)
        isEmpty = false
      }
    }
    yield Buffer.from(arrayEnd(isEmpty))
  }
  await writeBytes(out, elements())
}
