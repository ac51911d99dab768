import type { Batch, InputEnd, Unsendable } from '../../input/batch.js'
import { batches } from '../../input/batches.js'
import { BufferPool } from '../../input/buffer-pool.js'
import { InputError } from '../../input/error.js'
import { beginInput } from '../../input/input.js'
import { openFile, openStandardInput } from '../../input/open.js'
import type { Context } from '../context.js'
import type { IngestOptions } from '../ingest.js'
import { inputNames } from './files.js'
import { readOptions } from './reading.js'

/** An input that can't be read, or not to its end. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly message: string
}

/** All that a run would send, input after input, cut as it would be cut. */
export async function* inputsOf(
  options: IngestOptions,
  context: Pick<Context, 'io' | 'say'>,
  signal: AbortSignal,
): AsyncGenerator<Batch | Unsendable | InputEnd | Unreadable> {
  const { batchSize = 10_000, flushEvery = 1000 } = options
  const pool = new BufferPool(options.batchBytes ?? 4 * 1024 * 1024)
  for await (const file of inputNames(options, context)) {
    if (signal.aborted) return
    try {
      const opened =
        file === '-' ? openStandardInput(context.io.stdin, signal) : await openFile(file, signal)
      try {
        const input = await beginInput(opened, readOptions(options, context))
        yield* batches(input, { pool, mostEvents: batchSize, flushMs: flushEvery, signal })
      } finally {
        await opened.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      yield { kind: 'unreadable', message: error.message }
    }
  }
}
