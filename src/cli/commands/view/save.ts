import type { ChunkedBuffer } from '../../../wire/bytes/chunked-buffer.js'
import type { Context } from '../../context.js'
import { spareInputs } from '../../file/spare-inputs.js'
import { counted } from '../../option/quantity.js'
import { openPrinter } from '../../output/printer.js'
import type { ViewTarget } from './target.js'

interface SaveOptions {
  /** The file, whose extension selects the format. */
  readonly file: string
  readonly target: ViewTarget
  /** Runs the query of the rows. */
  respond(): Promise<ChunkedBuffer>
}

/** Writes the rows of a query to a file. Returns a sentence about what was written. */
export async function saveRows(
  { file, target, respond }: SaveOptions,
  context: Context,
): Promise<string> {
  const inputs = target.kind === 'files' ? target.files : []
  await spareInputs({ o: file }, inputs, context.io)
  const printer = await openPrinter({ out: file }, context)
  try {
    const { rows } = await printer.printResponse(await respond())
    return `${counted(rows, 'row')} in ${file}`
  } finally {
    await printer.close()
  }
}
