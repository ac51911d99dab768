import { availableParallelism } from 'node:os'
import { BATCH_BYTES, FLUSH_EVERY_MS } from '../../../client/limits.js'
import { streamBytes } from '../../../input/byte-source.js'
import { InputError, inputLabel } from '../../../input/error.js'
import {
  ConversionThreads,
  conversionWorkerFile,
} from '../../../input/log/thread/conversion-threads.js'
import type { MappingOptions } from '../../../input/mapping/detect-mapping.js'
import { type OpenInput, openFile, openStandardInput } from '../../../input/open.js'
import { isParquet } from '../../../input/parquet.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { filesBelow, isDirectory } from '../../../input/walk.js'
import { defined } from '../../../text/defined.js'
import { counted } from '../../../text/integer.js'
import { DEPLOYMENT_BATCH_EVENTS, MAX_BATCH_EVENTS } from '../../../wire/limits.js'
import { parseTimeFormat } from '../../../wire/time/time-format.js'
import { type Context, clock } from '../../context.js'
import { dateAndTimeFields, namedTimeField } from '../option/event-time.js'
import { lineFormatOptions } from '../option/line-format.js'
import type { IngestOptions } from '../option/options.js'
import { optionsOfFlags, type ReadingFlags } from '../option/reading-flags.js'
import type { Heading } from '../rejects/reject.js'

/** Yields the input files; with `--recursive`, the files in directories. */
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
    info(`Reading ${counted(found.length, 'file')} in \`${file}\`.`)
    yield* found
  }
}

export function readOptions(options: ReadingFlags, { io }: Pick<Context, 'io'>): ReadOptions {
  const { csvFields, delimiter, timestampField, label } = options
  const csv = defined({ fields: csvFields, delimiter })
  return {
    ...lineFormatOptions(options, io.env),
    ...(Object.keys(csv).length > 0 && { csv }),
    now: clock(io),
    findsTime: timestampField === undefined,
    ...(!Object.hasOwn(label ?? {}, '_time') && timeField(options)),
    timeFormat: timestampField === undefined ? lineTimeFormat(options) : undefined,
    ...optionsOfFlags(options),
  }
}

/** Returns the options for finding the field of the time; no options for a time format that only another service knows. */
function timeField(options: ReadingFlags): MappingOptions {
  const { timestampField, timestampFormat, timezone } = options
  const named = namedTimeField(options)
  const inZone = timezone === undefined || named === undefined ? undefined : [named]
  const timeFields = dateAndTimeFields(options) ?? inZone
  if (timestampField !== undefined && timeFields === undefined) return {}
  const found = timeFields === undefined ? { findsTimeField: true } : { timeFields }
  if (timestampFormat === undefined) return found
  const timeFieldFormat = parseTimeFormat(timestampFormat)
  return timeFieldFormat === undefined ? {} : { ...found, timeFieldFormat }
}

const UNIX_TIME = /\d+(?:\.\d+)?/

/** Returns the regular expression for times in lines in the format of `--timestamp-format`. */
function lineTimeFormat({ timestampFormat }: ReadingFlags): RegExp | undefined {
  const reads = timestampFormat === undefined ? undefined : parseTimeFormat(timestampFormat)?.reads
  return typeof reads === 'number' ? UNIX_TIME : reads?.matches
}

/** Returns the options for reading the events of a rejects file that share a heading. */
export function readOptionsForHeading(
  { header, delimiter = ',', timestampField }: Heading,
  options: ReadOptions,
): ReadOptions {
  const isDetected = options.findsTimeField === true && timestampField !== undefined
  // The fields of a table with its time and its level are found again.
  const mapping = isDetected ? { timestampField } : header === undefined ? {} : undefined
  const read = { ...options, hasSourceFields: false, mapping }
  // Even a comma must be set: the only name in a header may contain another delimiter.
  if (header !== undefined) return { ...read, format: 'csv', csv: { delimiter } }
  // A malformed event must not affect the detection of the format.
  return read.format === 'auto' ? { ...read, format: 'ndjson' } : read
}

export type BatchLimits = ReturnType<typeof batchLimits>

/** Returns the limits of batches for the local service or a deployment. */
export function batchLimits(options: IngestOptions, isLocal: boolean) {
  const most = isLocal ? MAX_BATCH_EVENTS : DEPLOYMENT_BATCH_EVENTS
  const { batchBytes: bytes = BATCH_BYTES, batchSize = most, flushEvery = FLUSH_EVERY_MS } = options
  return { bytes, maxEvents: Math.min(batchSize, most), flushMs: flushEvery }
}

/** Returns the threads that convert long logs; undefined when they would not be faster. */
export function conversionThreads(): ConversionThreads | undefined {
  // One core stores the events. On a single core, a second thread only adds the time of its start.
  const most = availableParallelism() - 1
  const worker = most > 0 ? conversionWorkerFile() : undefined
  return worker && new ConversionThreads(worker, { most })
}

/** Opens a file, or standard input for `-`. */
export function openInput(
  file: string,
  { io }: Pick<Context, 'io'>,
  signal: AbortSignal,
): OpenInput | Promise<OpenInput> {
  if (file === '-') return openStandardInput(io.stdin, signal)
  return isParquet(file) ? openParquet(file, signal) : openFile(file, signal)
}

/** Opens a Parquet file as the NDJSON of its rows. Reading can't be resumed, because rows have no position in the file. */
async function openParquet(file: string, signal: AbortSignal): Promise<OpenInput> {
  const { parquetLines } = await import('../../../local/parquet.js')
  const fail = (reason: string) =>
    new InputError(`${inputLabel(file)} can't be read as Parquet: ${reason}.`)
  const lines = await parquetLines(file, fail, signal)
  return { name: file, bytes: streamBytes(lines, signal), format: 'ndjson', isLive: false }
}
