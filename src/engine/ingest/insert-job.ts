import type { EventOptions } from '../../wire/event/event-options.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Batch, BatchOutcome, StoredLines } from '../batch.js'
import type { Dataset } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import type { Lease } from '../cluster/leases.js'
import type { Sequence, SequenceRange } from '../cluster/sequence.js'
import { MAX_LISTED } from '../deduplication/batch-outcome.js'
import type { NumberRange } from '../file-statement.js'
import type { LineCounts, Lines } from '../line-reader.js'
import { checkFreeSpace } from '../spool.js'
import { fileColumns, mayHave, storesAlike } from './event-fields.js'
import { type EventScan, type ScanTask, scanEvents } from './event-scan.js'
import { type BatchValues, batchColumns, type InsertionFile, scannedLayout } from './insertion.js'
import type { Journal } from './journal.js'
import type { JournalRows } from './journal-segment.js'
import { ColumnFile, newColumnsPath } from './scan/column-file.js'
import { joinedBlocks } from './scan/joined-blocks.js'
import { withConstants } from './scan/native-block.js'

export interface Job {
  readonly batch: Batch
  /** The lines of the batch, without a byte-order mark. */
  readonly lines: Lines
  readonly terms: EventOptions
  readonly counts: LineCounts
  /** The file for the columns of the batch; undefined for a small batch, which shares a file with others. */
  readonly columns: string | undefined
  /** The result of reading the lines, once their events are in a file of columns. */
  scan: EventScan | undefined
  /** 0 for a batch without an id. */
  readonly batchHash: bigint
  /** Prevents other services from storing a batch with the same hash. */
  readonly lease: Lease | undefined
  resolve(outcome: BatchOutcome): void
  reject(error: unknown): void
}

export const NOTHING_STORED: StoredLines = { ingested: 0, rejected: [], blocksCreated: 0 }

export interface LoadOptions {
  /** The directory for temporary files. */
  readonly spool: string
  readonly sequence: Sequence
  /** Undefined when the engine is shared or temporary. */
  readonly journal: Journal | undefined
}

/** Batches whose events are in one file of columns. */
export class Load {
  readonly jobs: readonly Job[]
  readonly lines: number
  readonly bytes: number
  /** False for a single batch, whose columns the caller removes. */
  private readonly isTemporary: boolean
  private readonly path: string
  private readonly spool: string
  private readonly isJournaled: boolean
  /** The rows for the journal; undefined when they are in the file. */
  private block: Buffer | undefined
  private readonly sequence: SequenceRange
  private readonly step: bigint

  constructor(jobs: readonly Job[], { spool, sequence, journal }: LoadOptions) {
    const own = jobs.length === 1 ? jobs[0]?.columns : undefined
    this.jobs = jobs
    this.lines = jobs.reduce((sum, { counts }) => sum + counts.lines, 0)
    this.bytes = jobs.reduce((sum, { counts }) => sum + counts.bytes, 0)
    this.isTemporary = own === undefined
    this.path = own ?? newColumnsPath(spool)
    this.spool = spool
    this.isJournaled = this.isTemporary && journal !== undefined
    this.sequence = sequence.take(this.lines)
    this.step = sequence.step
  }

  /** Reads the lines for a dataset and writes their events as columns, unless that was done. */
  async scan(dataset: Dataset): Promise<void> {
    const isDone = ({ scan }: Job): boolean =>
      scan !== undefined && storesAlike(scan.dataset, dataset)
    if (this.jobs.every(isDone)) return
    checkFreeSpace(this.spool, this.bytes)
    const output = new ColumnFile(this.path)
    try {
      for (const [i, job] of this.jobs.entries()) {
        job.scan = this.hasBatchColumns
          ? await this.scanShared(i, dataset, output)
          : await scanEvents(this.taskOf(i), dataset, output)
      }
      this.block = this.isJournaled ? output.take() : undefined
      await output.close()
    } catch (error) {
      await output.discard()
      throw error
    }
  }

  /** Writes the events of a job as one block, with the values of its batch in columns. */
  private async scanShared(i: number, dataset: Dataset, output: ColumnFile): Promise<EventScan> {
    const blocks: Buffer[] = []
    const write = async (bytes: Buffer): Promise<void> => void blocks.push(Buffer.from(bytes))
    const scan = await scanEvents(this.taskOf(i), dataset, { write })
    if (scan.rows === 0) return scan
    const block = joinedBlocks(scannedLayout(dataset), Buffer.concat(blocks))
    await output.write(withConstants(block, batchColumns(this.valuesOf(this.jobs[i]!))))
    return scan
  }

  private taskOf(i: number): ScanTask {
    const job = this.jobs[i]!
    return { ...job, arrivedAt: job.batch.arrivedAt, firstRow: this.firstRow(i) }
  }

  /** Returns the values that a dataset does not expect, after `scan` has read the lines for it. */
  unexpected(dataset: Dataset): FieldStatistics {
    const all = new FieldStatistics()
    const columns = fileColumns(dataset).byPath
    for (const { scan } of this.jobs) {
      if (scan === undefined) continue
      all.merge(scan.unexpected, ({ path, kinds }) => {
        const key = pathKey(path)
        const known = dataset.paths.get(key)
        if (known === undefined) return true
        // The scan was for the same columns, but perhaps for other kinds of values without a column.
        return columns.has(key) ? scan.dataset.knows(path) : !mayHave(known, kinds)
      })
    }
    return all
  }

  get rows(): number {
    return this.jobs.reduce((sum, { scan }) => sum + (scan?.rows ?? 0), 0)
  }

  /** The rows as an entry of the journal; undefined when they are in the file. */
  get entry(): JournalRows | undefined {
    const { block, rows, numbers } = this
    const [job] = this.jobs
    if (block === undefined || job === undefined) return undefined
    const { dataset } = job.batch
    const { labels } = job.terms
    const named = this.jobs.flatMap(({ batchHash: hash, scan }) =>
      hash === 0n || scan === undefined ? [] : [{ hash, rows: scan.rows }],
    )
    return { dataset, labels, rows, named, ...numbers, block }
  }

  private get numbers(): NumberRange {
    const { first } = this.sequence
    return { first, last: first + BigInt(this.lines - 1) * this.step }
  }

  get file(): InsertionFile {
    const [job] = this.jobs
    const batch = job === undefined || this.hasBatchColumns ? undefined : this.valuesOf(job)
    return { path: this.path, rows: this.rows, batch, numbers: this.numbers }
  }

  private get hasBatchColumns(): boolean {
    return this.isJournaled || this.jobs.length > 1
  }

  private valuesOf({ batch: { arrivedAt }, batchHash }: Job): BatchValues {
    return { arrivedAt, batchHash, first: this.sequence.first }
  }

  /** The leases that must still be held when the events are stored. */
  get leases(): readonly Lease[] {
    const leases = [this.sequence.lease, ...this.jobs.map(({ lease }) => lease)]
    return leases.filter((lease) => lease !== undefined)
  }

  async remove(): Promise<void> {
    if (this.isTemporary && this.block === undefined) await new ColumnFile(this.path).discard()
  }

  private firstRow(job: number): number {
    return this.jobs.slice(0, job).reduce((sum, { counts }) => sum + counts.lines, 0)
  }
}

/** Returns the loads of jobs: one for each job with a file of columns, and one for all others. */
export function loadsOf(jobs: readonly Job[], options: LoadOptions): readonly Load[] {
  const small = jobs.filter(({ columns }) => columns === undefined)
  const large = jobs.filter(({ columns }) => columns !== undefined)
  const groups = [...large.map((job) => [job]), ...(small.length > 0 ? [small] : [])]
  return groups.map((group) => new Load(group, options))
}

/** Returns the result of a batch whose events are stored. */
export function storedLines({ scan }: Job): StoredLines {
  if (scan === undefined) return NOTHING_STORED
  const { rows, rejected } = scan
  return { ingested: rows, rejected, blocksCreated: rows > 0 ? 1 : 0 }
}

/** Returns the outcome of a batch, given the result of storing its lines. */
export function outcomeOf(
  { batch, counts }: Pick<Job, 'batch' | 'counts'>,
  { ingested, rejected, blocksCreated }: StoredLines,
): BatchOutcome {
  const { bytes = counts.bytes, arrivedAt } = batch
  const limit = batch.listsAllRejected ? Number.POSITIVE_INFINITY : MAX_LISTED
  const events = batch.rejectedEvents?.(rejected, limit) ?? {
    failed: rejected.length,
    rejected: rejected.slice(0, limit),
  }
  return { ingested, ...events, blocksCreated, bytes, arrivedAt }
}
