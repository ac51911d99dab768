import type { Writable } from 'node:stream'
import type { LineFormat } from '../../render/transpose/line-format.js'
import { headerBytes, rowBytes } from '../../render/transpose/rows.js'
import type { ScannedAnswer } from '../../render/transpose/scan-answer.js'
import { writeBytes } from '../../render/write.js'
import { checkColumns, columnNames } from './columns.js'
import type { PrintFlags } from './flags.js'

/** Writes the rows of an answer as lines, straight from its bytes. */
export async function writeLines(
  out: Writable,
  answer: ScannedAnswer,
  { format, columns, header = true }: PrintFlags & { readonly format: LineFormat },
): Promise<void> {
  const wanted = columns === undefined ? undefined : columnNames(columns)
  const { tables } = answer.result
  if (wanted !== undefined) checkColumns(tables, wanted)
  let above: Buffer = Buffer.alloc(0)
  for (const [table, { fields }] of tables.entries()) {
    const names = fields.map(({ name }) => name)
    const positions = wanted?.map((name) => names.indexOf(name)).filter((at) => at !== -1)
    const selection = { table, ...(positions && { columns: positions }) }
    const heading = await headerBytes(format, answer, selection)
    if (header && !heading.equals(above)) await writeBytes(out, [heading])
    above = heading
    await writeBytes(out, rowBytes(format, answer, selection))
  }
}
