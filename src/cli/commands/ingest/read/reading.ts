import type { BatchOptions } from '../../../../input/batches.js'
import { BufferPool } from '../../../../input/buffer-pool.js'
import type { ReadOptions } from '../../../../input/input.js'
import { type OpenInput, openFile, openStandardInput } from '../../../../input/open.js'
import { MAX_BATCH_EVENTS } from '../../../../wire/http/ingest.js'
import { clock } from '../../../clock.js'
import type { Context } from '../../../context.js'
import type { IngestOptions } from '../option/options.js'
import type { Heading } from '../rejects/reject.js'

/** How the command line says that inputs are to be read. */
export function readOptions(options: IngestOptions, { io }: Pick<Context, 'io'>): ReadOptions {
  const { inputFormat = 'auto', csvFields, delimiter, timestampField } = options
  const csv = {
    ...(csvFields !== undefined && { fields: csvFields }),
    ...(delimiter !== undefined && { delimiter }),
  }
  return {
    format: inputFormat,
    ...(Object.keys(csv).length > 0 && { csv }),
    now: clock(io)(),
    findsTime: timestampField === undefined,
  }
}

/** The same for events of a rejects file that stand under a heading, which says what they were read as. */
export function readOptionsUnder(
  { header, delimiter = ',', format }: Heading,
  options: ReadOptions,
): ReadOptions {
  // The comma too is named: a header of one name may have another delimiter in it.
  if (header !== undefined) return { ...options, format: 'csv', csv: { delimiter } }
  // What is not JSON among them must not make the rest look like something else.
  return options.format === 'auto' ? { ...options, format: format ?? 'ndjson' } : options
}

/** How the command line says that inputs are to be cut into batches. */
export function batchOptions(options: IngestOptions, signal: AbortSignal): BatchOptions {
  const { batchBytes = 4 * 1024 * 1024, batchSize = MAX_BATCH_EVENTS, flushEvery = 1000 } = options
  const pool = new BufferPool(batchBytes)
  return { pool, maxEvents: batchSize, flushMs: flushEvery, signal }
}

/** Opens an input by its name on the command line. */
export function openInput(
  file: string,
  { io }: Pick<Context, 'io'>,
  signal: AbortSignal,
): OpenInput | Promise<OpenInput> {
  return file === '-' ? openStandardInput(io.stdin, signal) : openFile(file, signal)
}
