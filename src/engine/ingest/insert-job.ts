import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { EventOptions } from '../../wire/event/event-options.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Batch, BatchOutcome, StoredLines } from '../batch.js'
import type { Dataset } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import type { Lease } from '../cluster/leases.js'
import type { Sequence, SequenceRange } from '../cluster/sequence.js'
import { MAX_LISTED } from '../deduplication/batch-outcome.js'
import type { LineCounts, Lines } from '../line-reader.js'
import { checkFreeSpace } from '../spool.js'
import { fileColumns, mayHave, storesAlike } from './event-fields.js'
import { type EventScan, scanEvents } from './event-scan.js'
import type { FilePart, InsertionFile } from './insertion.js'
import { ColumnFile } from './scan/column-file.js'

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

export function newColumnsPath(spool: string): string {
  return join(spool, `body-${randomUUID()}.columns`)
}

interface LoadOptions {
  readonly spool: string
  readonly sequence: Sequence
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
  private readonly sequence: SequenceRange

  constructor(jobs: readonly Job[], { spool, sequence }: LoadOptions) {
    const own = jobs.length === 1 ? jobs[0]?.columns : undefined
    this.jobs = jobs
    this.lines = jobs.reduce((sum, { counts }) => sum + counts.lines, 0)
    this.bytes = jobs.reduce((sum, { counts }) => sum + counts.bytes, 0)
    this.isTemporary = own === undefined
    this.path = own ?? newColumnsPath(spool)
    this.spool = spool
    this.sequence = sequence.take(this.lines)
  }

  /** Reads the lines for a dataset and writes their events as columns, unless that was done. */
  async scan(dataset: Dataset): Promise<void> {
    const isDone = ({ scan }: Job): boolean =>
      scan !== undefined && storesAlike(scan.dataset, dataset)
    if (this.jobs.every(isDone)) return
    await checkFreeSpace(this.spool, this.bytes)
    const output = new ColumnFile(this.path)
    try {
      for (const [i, job] of this.jobs.entries()) {
        const { arrivedAt } = job.batch
        const task = { ...job, arrivedAt, firstRow: this.firstRow(i) }
        job.scan = await scanEvents(task, dataset, output)
      }
      await output.close()
    } catch (error) {
      await output.discard()
      throw error
    }
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

  get file(): InsertionFile {
    const parts = this.jobs.map(
      ({ batch: { arrivedAt }, batchHash }, i): FilePart => ({
        firstRow: this.firstRow(i),
        arrivedAt,
        batchHash,
      }),
    )
    return { path: this.path, rows: this.rows, sequence: this.sequence, parts }
  }

  /** The leases that must still be held when the events are stored. */
  get leases(): readonly Lease[] {
    const leases = [this.sequence.lease, ...this.jobs.map(({ lease }) => lease)]
    return leases.filter((lease) => lease !== undefined)
  }

  async remove(): Promise<void> {
    if (this.isTemporary) await new ColumnFile(this.path).discard()
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
