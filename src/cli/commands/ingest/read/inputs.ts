import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import { batches } from '../../../../input/batches.js'
import { InputError } from '../../../../input/error.js'
import { detectInput } from '../../../../input/input.js'
import { filesBelow, isDirectory } from '../../../../input/walk.js'
import type { Context } from '../../../context.js'
import { counted } from '../../../option/quantity.js'
import type { IngestOptions } from '../option/options.js'
import { batchOptions, openInput, readOptions } from './reading.js'

/** An input that can't be read, or not to its end. */
interface Unreadable {
  readonly kind: 'unreadable'
  readonly message: string
}

/** All that a run would send, input after input, cut as it would be cut. */
export async function* inputsOf(
  options: IngestOptions,
  context: Pick<Context, 'io' | 'info'>,
  signal: AbortSignal,
): AsyncGenerator<Batch | UnsendableEvent | InputEnd | Unreadable> {
  const limits = batchOptions(options, signal)
  for await (const file of inputNames(options, context)) {
    if (signal.aborted) return
    try {
      const opened = await openInput(file, context, signal)
      try {
        const input = await detectInput(opened, readOptions(options, context))
        yield* batches(input, limits)
      } finally {
        await opened.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      yield { kind: 'unreadable', message: error.message }
    }
  }
}

/** The inputs that the command line names, one after the other; directories as the files below them, when asked for. */
export async function* inputNames(
  { files, recursive }: Pick<IngestOptions, 'files' | 'recursive'>,
  { info }: Pick<Context, 'info'>,
): AsyncGenerator<string> {
  for (const file of files.length === 0 ? ['-'] : files) {
    if (recursive !== true || file === '-' || !(await isDirectory(file))) {
      yield file
      continue
    }
    const found = await filesBelow(file)
    info(`Reads ${counted(found.length, 'file')} below \`${file}\`.`)
    yield* found
  }
}
