// Scans inputs other than plain NDJSON files, batch by batch: compressed or converted files, and pipes.
import type { Batch } from '../../../../input/batch.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { LINE_FEED } from '../../../../text/bytes.js'
import { CsvLines } from '../../../../wire/csv/csv.js'
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
}

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
  const scan = FileScan.open({ ...options, timestampField, lines: firstLines(lines), arrivedAt })
  return (
    scan && {
      scan,
      async add(batch) {
        const isSame = timeFieldOf(batch, options) === timestampField
        await scan.add(isSame ? linesOf(batch) : undefined, options.now())
      },
    }
  )
}

function timeFieldOf({ timestampField }: Batch, { reading }: ScanOptions): string {
  return timestampField ?? namedTimeField(reading) ?? '_time'
}

/** Returns the events of a batch as lines of NDJSON; undefined when only the service reads them. */
function linesOf({ contentType, body, csv }: Batch): Buffer | undefined {
  if (contentType === 'application/x-ndjson') return body
  const rows = new CsvLines({ delimiter: ',', ...csv })
  try {
    const lines = rows.push(body)
    const last = rows.end()
    if (rows.failures.length > 0) return undefined
    return last.length === 0 ? lines : Buffer.concat([lines, last])
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
  lines.scan.end()
  return lines.scan
}
