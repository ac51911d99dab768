import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { BatchOutcome, StoredLines } from '../batch.js'
import type { Lease } from '../cluster/leases.js'
import type { FilePart, InsertionFile } from './insertion.js'
import type { LineCounts, Lines } from './line-reader.js'
import type { Sequence } from './sequence.js'
import { checkFreeSpace } from './spool.js'

/** A batch that waits to be stored. */
export interface Job {
  readonly lines: Lines
  readonly counts: LineCounts
  readonly arrivedAt: bigint
  readonly terms: EventOptions
  /** Marks its rows; 0 for a batch without a name. */
  readonly batchHash: bigint
  /** Keeps other services from storing a batch of the same mark. */
  readonly lease: Lease | undefined
  outcomeOf(stored: StoredLines): BatchOutcome
  onStored(outcome: BatchOutcome): void
  resolve(outcome: BatchOutcome): void
  reject(error: unknown): void
}

/** What becomes of a batch without events. */
export const NOTHING_STORED: StoredLines = { ingested: 0, rejected: [], blocksCreated: 0 }

/** A file for the engine to read, and the jobs that its parts came from, in their order. */
export interface Load {
  readonly file: InsertionFile
  readonly jobs: readonly Job[]
  /** The file was made for the engine, and is to be removed afterwards. */
  readonly isTemporary: boolean
}

interface LoadOptions {
  readonly spool: string
  readonly sequence: Sequence
}

/** The jobs as files: each that is one by itself, and one of all those that came in memory. */
export async function loadsOf(jobs: readonly Job[], options: LoadOptions): Promise<Load[]> {
  const loads: Load[] = []
  const small: { job: Job; bytes: Buffer }[] = []
  for (const job of jobs) {
    const { lines } = job
    if (lines.kind === 'bytes') small.push({ job, bytes: lines.bytes })
    else loads.push(load({ path: lines.path, jobs: [job], isOwn: false }, options))
  }
  if (small.length === 0) return loads
  const path = await writeLines(
    small.map(({ bytes }) => bytes),
    options.spool,
  )
  return [...loads, load({ path, jobs: small.map(({ job }) => job), isOwn: true }, options)]
}

/** What this process must still hold when the loads are stored. */
export function leasesOf(loads: readonly Load[]): readonly Lease[] {
  const leases = loads.flatMap(({ file, jobs }) => [
    file.sequence.lease,
    ...jobs.map(({ lease }) => lease),
  ])
  return leases.filter((lease) => lease !== undefined)
}

/** Removes the files that were made for the engine; one that can't be removed stays until the next start. */
export async function removeLoads(loads: readonly Load[]): Promise<void> {
  for (const { file, isTemporary: isOwn } of loads) {
    if (isOwn) await rm(file.path, { force: true }).catch(() => {})
  }
}

const LINE_FEED = Buffer.from('\n')

async function writeLines(pieces: readonly Buffer[], spool: string): Promise<string> {
  const whole = Buffer.concat(
    pieces.flatMap((bytes) => (bytes.at(-1) === LINE_FEED[0] ? [bytes] : [bytes, LINE_FEED])),
  )
  await checkFreeSpace(spool, whole.length)
  const path = join(spool, `body-${randomUUID()}.ndjson`)
  await writeFile(path, whole, { mode: 0o600 })
  return path
}

function load(
  { path, jobs, isOwn }: { path: string; jobs: readonly Job[]; isOwn: boolean },
  { sequence }: LoadOptions,
): Load {
  const parts: FilePart[] = []
  let lines = 0
  let bytes = 0
  let filled = 0
  for (const { counts, arrivedAt, batchHash } of jobs) {
    parts.push({ firstRow: lines, arrivedAt, batchHash, events: counts.events })
    lines += counts.lines
    bytes += counts.bytes
    filled += counts.events
  }
  const carriageReturns = jobs.some(({ counts }) => counts.hasCarriageReturns)
  const batchHash = jobs.some(({ counts }) => counts.hasByteOrderMark)
  const counts: LineCounts = {
    bytes,
    lines,
    events: filled,
    hasCarriageReturns: carriageReturns,
    hasByteOrderMark: batchHash,
  }
  return {
    file: { path, counts, sequence: sequence.take(lines), parts },
    jobs,
    isTemporary: isOwn,
  }
}
