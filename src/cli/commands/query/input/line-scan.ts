// Scans inputs other than plain NDJSON files, batch by batch: compressed or converted files, and pipes.
import type { Batch } from '../../../../input/batch.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { LINE_FEED } from '../../../../text/bytes.js'
import { csvLines } from '../../../../wire/csv/csv.js'
import { CsvError } from '../../../../wire/csv/csv-row.js'
import { namedTimeField } from '../../../ingest/option/event-time.js'
import type { Loading } from './load.js'
import { readFiles } from './read.js'
import type { ScanOptions } from './scan.js'

/** The minimum number of events in the first batch of a pipe: fewer may lack a field that most later events have. */
const LEAST_IN_PIPE = 1_000

/** A scan of batches of the same kind. */
export interface LineScan {
  readonly scan: FileScan
  /** Adds a batch. Resolves when the next one may be added. */
  add(batch: Batch): Promise<void>
  /** Ends the scan after the batches that were added. */
  end(): Promise<void>
}

/** The batches of small files are scanned together once they have this many bytes. */
const JOINED_BYTES = 4 * 1024 * 1024

/** Starts a scan that begins with a batch; returns undefined for a batch that has to be stored, or has few events. */
export async function startLineScan(
  first: Batch,
  options: ScanOptions,
): Promise<LineScan | undefined> {
  const leastEvents = options.files.includes('-') ? LEAST_IN_PIPE : 1
  const lines = first.events < leastEvents ? undefined : linesOf(first)
  if (lines === undefined) return undefined
  const { FileScan } = await import('../../../../local/file-scan.js')
  const timestampField = timeFieldOf(first, options)
  const arrivedAt = options.now()
  const beginning = { lines: firstLines(lines), arrivedAt }
  const scan = FileScan.open({ ...options, timestampField, ...beginning })
  return scan && lineScan(scan, timestampField, options)
}

/** Returns a scan to which batches are added; batches with another field of the time have to be stored. */
function lineScan(scan: FileScan, timestampField: string, options: ScanOptions): LineScan {
  /** Copies of the lines that are not in the scan yet. */
  const waiting: Buffer[] = []
  let bytes = 0

  async function addWaiting(): Promise<void> {
    const lines = Buffer.concat(waiting.splice(0), bytes)
    bytes = 0
    if (lines.length > 0) await scan.add(lines, options.now())
  }

  return {
    scan,
    async add(batch) {
      const isSame = timeFieldOf(batch, options) === timestampField
      const lines = isSame ? linesOf(batch) : undefined
      if (options.isInGroups || lines === undefined || lines.length > JOINED_BYTES) {
        await addWaiting()
        return await scan.add(lines, options.now())
      }
      // The last line of a file may lack its line feed.
      const end = lines.at(-1) === LINE_FEED ? '' : '\n'
      waiting.push(Buffer.concat([lines, Buffer.from(end)]))
      bytes += lines.length + end.length
      if (bytes > JOINED_BYTES) await addWaiting()
    },
    async end() {
      await addWaiting()
      scan.end()
    },
  }
}

function timeFieldOf({ timestampField }: Batch, { reading }: ScanOptions): string {
  return timestampField ?? namedTimeField(reading) ?? '_time'
}

/** Returns the events of a batch as lines of NDJSON; undefined when the service reads them, or a message about them is due. */
function linesOf({ contentType, body, csv, untimed }: Batch): Buffer | undefined {
  if (untimed !== undefined) return undefined
  if (contentType === 'application/x-ndjson') return body
  try {
    const { lines, failures } = csvLines(body, { delimiter: ',', ...csv })
    return failures.length > 0 ? undefined : lines
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

const SAMPLED_BYTES = 1024 * 1024

function firstLines(bytes: Buffer): readonly string[] {
  const end = bytes.lastIndexOf(LINE_FEED, SAMPLED_BYTES)
  const lines = bytes.toString('utf8', 0, end === -1 ? bytes.length : end).split('\n')
  return lines.filter((line) => line.trim() !== '')
}

/** Batches of more events than the batches of a stream, where the user waits for the first rows. */
const LIMITS = {
  bytes: 8 * 1024 * 1024,
  maxEvents: 100_000,
  flushMs: Number.POSITIVE_INFINITY,
}

/** Adds the events of files to a scan, and returns the scan unless the files must be read again. */
export async function scanAll(
  options: ScanOptions,
  { unread, signal, ...loading }: Loading,
): Promise<FileScan | undefined> {
  const items = readFiles(options.files, { ...loading, unread, signal, limits: LIMITS })
  let lines: LineScan | undefined
  let isWhole = false
  try {
    for await (const item of items) {
      if (item.kind === 'unsendable') await unread.unsendable(item)
      if (item.kind !== 'batch') continue
      lines ??= await startLineScan(item, options)
      await lines?.add(item)
      item.release()
      if (lines === undefined || lines.scan.isHopeless) return undefined
    }
    isWhole = !signal.aborted
  } finally {
    if (!isWhole) await lines?.scan.close()
  }
  if (lines === undefined || !isWhole) return undefined
  await lines.end()
  return lines.scan
}
