// Scans inputs other than plain NDJSON files, batch by batch: compressed or converted files, and pipes.
import type { Batch } from '../../../../input/batch.js'
import type { BatchOptions } from '../../../../input/batches.js'
import { BufferPool } from '../../../../input/buffer-pool.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { LINE_FEED } from '../../../../text/bytes.js'
import { CsvLines } from '../../../../wire/csv/csv.js'
import { CsvError } from '../../../../wire/csv/csv-row.js'
import { namedTimeField } from '../../../ingest/option/event-time.js'
import type { ReadingFlags } from '../../../ingest/option/reading-flags.js'
import type { Loading } from './load.js'
import { readFiles } from './read.js'

export interface LineScanOptions {
  readonly dataset: string
  /** The fields that the query uses; undefined for all fields. */
  readonly fields: readonly string[] | undefined
  readonly isInGroups: boolean
  /** The minimum number of events in the first batch: fewer may lack a field that most later events have. */
  readonly leastEvents: number
  readonly reading: ReadingFlags
  /** An empty directory. */
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
}

/** A scan of batches of the same kind. */
export interface LineScan {
  readonly scan: FileScan
  /** Adds a batch. Resolves when the next one may be added. */
  add(batch: Batch): Promise<void>
}

/** Starts a scan that begins with a batch; returns undefined for a batch that has to be stored, or has few events. */
export async function startLineScan(
  first: Batch,
  options: LineScanOptions,
): Promise<LineScan | undefined> {
  const lines = first.events < options.leastEvents ? undefined : linesOf(first)
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

function timeFieldOf({ timestampField }: Batch, { reading }: LineScanOptions): string {
  return timestampField ?? namedTimeField(reading) ?? '_time'
}

/** Returns the events of a batch as lines of NDJSON; undefined when only the service reads them. */
function linesOf({ contentType, body, csv }: Batch): Buffer | undefined {
  if (contentType === 'application/x-ndjson') return body
  if (contentType === 'application/json') return undefined
  const rows = new CsvLines({ delimiter: ',', ...csv })
  try {
    const lines = Buffer.concat([rows.push(body), rows.end()])
    return rows.failures.length === 0 ? lines : undefined
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

/** Larger than the batches of a stream, where the user waits for the first rows. */
const BATCH_BYTES = 8 * 1024 * 1024
const BATCH_EVENTS = 100_000

/**
 * Adds the events of files to a scan, and returns the scan if it has all events. Otherwise the files must be read again, and
 * reading them again prints their notices.
 */
export async function scanAll(
  files: readonly string[],
  options: LineScanOptions,
  { unread, signal, ...loading }: Loading,
): Promise<FileScan | undefined> {
  const notices: string[] = []
  const context = { ...loading.context, info: (text: string) => void notices.push(text) }
  const limits = batchLimits(signal, loading.threads)
  const items = readFiles(files, { ...loading, unread, signal, context, limits })
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
  for (const text of notices) loading.context.info(text)
  return lines.scan
}

function batchLimits(signal: AbortSignal, threads: Loading['threads']): BatchOptions {
  const pool = new BufferPool(BATCH_BYTES)
  return { pool, maxEvents: BATCH_EVENTS, flushMs: Number.POSITIVE_INFINITY, signal, threads }
}
