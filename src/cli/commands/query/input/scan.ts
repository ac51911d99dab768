import { InputError } from '../../../../input/error.js'
import { detectInput, type Input } from '../../../../input/input.js'
import type { ReadOptions } from '../../../../input/read-options.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { fileHead, isRegularFile } from '../../../../text/regular-file.js'
import { isJsonObject, parseJson } from '../../../../wire/json/json-object.js'
import type { Context } from '../../../context.js'
import { namedTimeField } from '../../../ingest/option/event-time.js'
import { isScannable, type ReadingFlags } from '../../../ingest/option/reading-flags.js'
import { recordsNotice } from '../../../ingest/read/format-name.js'
import { openInput, readOptions } from '../../../ingest/read/inputs.js'
import { openedAhead } from './opened-ahead.js'
import type { InputPlan } from './plan.js'

/** A scan of the main input of a query. */
export interface ScanOptions {
  readonly dataset: string
  /** The fields that the query uses; undefined for all fields. */
  readonly fields: readonly string[] | undefined
  /** True when events are queried before all of them are scanned. */
  readonly isInGroups: boolean
  /** The files of the main input. */
  readonly files: readonly string[]
  readonly reading: ReadingFlags
  /** An empty directory. */
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
}

/** True when the events of the main input need not be stored, which is slower. */
export function isScannedQuery({ files, datasets }: InputPlan, reading: ReadingFlags): boolean {
  return files.size === 0 && datasets.length === 0 && isScannable(reading)
}

/** A file of NDJSON that is scanned as it is. */
interface ScannedFile {
  readonly path: string
  /** The offset of the first event in bytes. */
  readonly start: number
  readonly timestampField: string
}

/** Starts to scan files of NDJSON as they are; returns undefined for other inputs. */
export async function startScan(
  { files, reading, now, ...scan }: ScanOptions,
  signal: AbortSignal,
  context: Context,
): Promise<FileScan | undefined> {
  if (files.length === 0) return undefined
  const found: ScannedFile[] = []
  const options = { read: readOptions(reading, context), field: namedTimeField(reading), signal }
  const open = (file: string) => scannedFile(file, options, context)
  for await (const { opening } of openedAhead(files, open)) {
    const scanned = await opening
    if (scanned === undefined || signal.aborted) return undefined
    found.push(scanned)
  }
  const timestampField = found[0]?.timestampField ?? '_time'
  if (found.some((file) => file.timestampField !== timestampField)) return undefined
  const { FileScan } = await import('../../../../local/file-scan.js')
  try {
    return FileScan.start({ ...scan, timestampField, files: found, arrivedAt: now() })
  } catch {
    // Errors in a file are reported when it is read again.
    return undefined
  }
}

interface DetectionOptions {
  readonly read: ReadOptions
  /** The field of the time that the user named. */
  readonly field: string | undefined
  readonly signal: AbortSignal
}

/** Returns a file with the position of its first event; undefined when it is not an uncompressed file of NDJSON. */
async function scannedFile(
  path: string,
  { read, field, signal }: DetectionOptions,
  context: Context,
): Promise<ScannedFile | undefined> {
  // Opening a pipe would consume its first bytes.
  if (!isRegularFile(path)) return undefined
  // The layout of a log is detected when it is read.
  if (!OBJECT.test(fileHead(path, Buffer.alloc(HEAD_BYTES)).toString('latin1'))) return undefined
  try {
    const opened = await openInput(path, context, signal)
    try {
      const input = await detectInput(opened, read)
      if (opened.file === undefined || !isPlain(input)) return undefined
      if (recordsNotice(input, read) !== undefined) return undefined
      const timestampField = field ?? input.mapping.timestampField ?? '_time'
      return { path, start: input.start.offset, timestampField }
    } finally {
      await opened.bytes.close()
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return undefined
  }
}

const OBJECT = /^(?:\xef\xbb\xbf)?\s*\{/

/** The number of bytes within which an object must begin. */
const HEAD_BYTES = 1024

/** True when each line is an event without any conversion. */
function isPlain({ format, rewrite, hasSourceFields, storedAs }: Input): boolean {
  const isChanged = rewrite !== undefined || hasSourceFields === true || storedAs !== undefined
  return format === 'ndjson' && !isChanged
}

/** The number of events whose fields are read. */
const SAMPLED_EVENTS = 100

/** Returns the names of the fields of the first events. */
export function fieldsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.slice(0, SAMPLED_EVENTS).flatMap(fieldsOfLine))]
}

function fieldsOfLine(line: string): readonly string[] {
  // The line may be truncated, or not be JSON.
  const value = parseJson(line)
  return isJsonObject(value) ? namesIn(value, '') : []
}

function namesIn(object: Readonly<Record<string, unknown>>, before: string): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    isJsonObject(value) ? namesIn(value, `${before}${key}.`) : [`${before}${key}`],
  )
}
