import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BatchOutcome, StoredLines } from '../batch.js'
import type { Lease } from '../cluster/leases.js'
import type { Sequence } from '../cluster/sequence.js'
import type { LineCounts } from '../line-reader.js'
import { checkFreeSpace } from '../spool.js'
import type { FilePart, InsertionFile } from './insertion.js'
import type { ScannedLines } from './scanned-lines.js'

/** A queued batch. */
export interface Job extends ScannedLines {
  readonly counts: LineCounts
  readonly arrivedAt: bigint
  /** 0 for a batch without an id. */
  readonly batchHash: bigint
  /** Prevents other services from storing a batch with the same hash. */
  readonly lease: Lease | undefined
  outcomeOf(stored: StoredLines): BatchOutcome
  onStored(outcome: BatchOutcome): void
  resolve(outcome: BatchOutcome): void
  reject(error: unknown): void
}

/** The result of a batch without events. */
export const NOTHING_STORED: StoredLines = { ingested: 0, rejected: [], blocksCreated: 0 }

/** A file for the engine to read, and the jobs of its parts in order. */
export interface Load {
  readonly file: InsertionFile
  readonly jobs: readonly Job[]
  /** The file was created for the engine and must be removed afterward. */
  readonly isTemporary: boolean
}

interface LoadOptions {
  readonly spool: string
  readonly sequence: Sequence
}

/** Returns the files of jobs: one for each job with a file, and one for all jobs in memory. */
export async function loadsOf(jobs: readonly Job[], options: LoadOptions): Promise<Load[]> {
  const loads: Load[] = []
  const small: { job: Job; bytes: Buffer }[] = []
  for (const job of jobs) {
    const { lines } = job
    if (lines.kind === 'bytes') small.push({ job, bytes: lines.bytes })
    else loads.push(load({ path: lines.path, jobs: [job], isTemporary: false }, options))
  }
  if (small.length === 0) return loads
  const path = await writeLines(
    small.map(({ bytes }) => bytes),
    options.spool,
  )
  return [...loads, load({ path, jobs: small.map(({ job }) => job), isTemporary: true }, options)]
}

/** Returns the leases that must still be held when the loads are stored. */
export function leasesOf(loads: readonly Load[]): readonly Lease[] {
  const leases = loads.flatMap(({ file, jobs }) => [
    file.sequence.lease,
    ...jobs.map(({ lease }) => lease),
  ])
  return leases.filter((lease) => lease !== undefined)
}

/** Removes temporary files; one that can't be removed remains until the next start. */
export async function removeLoads(loads: readonly Load[]): Promise<void> {
  for (const { file, isTemporary } of loads) {
    if (isTemporary) await rm(file.path, { force: true }).catch(() => {})
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
  { path, jobs, isTemporary }: { path: string; jobs: readonly Job[]; isTemporary: boolean },
  { sequence }: LoadOptions,
): Load {
  const parts: FilePart[] = []
  let lines = 0
  let bytes = 0
  let events = 0
  for (const { counts, arrivedAt, batchHash } of jobs) {
    parts.push({ firstRow: lines, arrivedAt, batchHash, events: counts.events })
    lines += counts.lines
    bytes += counts.bytes
    events += counts.events
  }
  const counts: LineCounts = {
    bytes,
    lines,
    events,
    hasCarriageReturns: jobs.some(({ counts }) => counts.hasCarriageReturns),
    hasByteOrderMark: jobs.some(({ counts }) => counts.hasByteOrderMark),
  }
  return {
    file: { path, counts, sequence: sequence.take(lines), parts },
    jobs,
    isTemporary,
  }
}
