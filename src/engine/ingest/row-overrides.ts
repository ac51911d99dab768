import { rm, writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { RejectedLine, StoredLines } from '../batch.js'
import { type InsertionFile, OVERRIDE } from './insertion.js'
import type { PickedLine } from './picked-lines.js'

/** There may be a million; this many are processed in a few milliseconds before other tasks may run. */
const ROWS_AT_ONCE = 10_000

/** The results of reading lines of a file in JavaScript, which override those of the engine. */
export class RowOverrides {
  /** The file that the engine reads them from. */
  readonly path: string
  private readonly file: InsertionFile
  private readonly rejected = new Map<number, RejectedLine>()
  private readonly blank = new Set<number>()
  private readonly times = new Map<number, bigint>()
  private readonly accepted = new Set<number>()

  constructor(file: InsertionFile) {
    this.file = file
    this.path = `${file.path}.overrides`
  }

  /** The number of overrides. */
  get count(): number {
    return this.rejected.size + this.blank.size + this.times.size + this.accepted.size
  }

  /** True when all events of the file are rejected. */
  get rejectsAll(): boolean {
    return this.rejected.size === this.file.counts.events
  }

  reject({ row, index }: PickedLine, reason: string): void {
    this.rejected.set(row, { index, line: row + 1, reason })
  }

  /** Records that a line is blank. */
  skip({ row }: PickedLine): void {
    this.blank.add(row)
  }

  /** Records the time of an event, in nanoseconds since 1970, that the engine can't read. */
  setTime(row: number, time: bigint): void {
    this.times.set(row, time)
  }

  hasTime({ row }: PickedLine): boolean {
    return this.times.has(row)
  }

  /** Records that an event is valid although the engine's check is inconclusive. */
  accept({ row }: PickedLine): void {
    this.accepted.add(row)
  }

  /** Returns the result for each part of the file after all other lines are stored. */
  async outcomes(): Promise<readonly StoredLines[]> {
    // Filled by hand: `Uint32Array.from` is ten times slower for an iterator.
    const rows = new Uint32Array(this.rejected.size)
    let count = 0
    for (const row of this.rejected.keys()) rows[count++] = row
    rows.sort()
    const outcome: StoredLines[] = []
    let next = 0
    let firstIndex = 0
    for (const [i, { firstRow, events: filled }] of this.file.parts.entries()) {
      const end = this.file.parts[i + 1]?.firstRow ?? this.file.counts.lines
      const rejected: RejectedLine[] = []
      for (let row = rows[next]; row !== undefined && row < end; row = rows[++next]) {
        if (next % ROWS_AT_ONCE === 0) await setImmediate()
        const { index, line, reason } = this.rejected.get(row)!
        rejected.push({ index: index - firstIndex, line: line - firstRow, reason })
      }
      firstIndex += filled
      const ingested = filled - rejected.length
      outcome.push({ ingested, rejected, blocksCreated: ingested > 0 ? 1 : 0 })
    }
    return outcome
  }

  async write(): Promise<void> {
    if (this.count > 0) await writeFile(this.path, this.pieces(), { mode: 0o600 })
  }

  /** Yields the file in chunks, so that other tasks may run in between. */
  private *pieces(): Generator<string> {
    let piece = ''
    let rows = 0
    for (const line of this.lines()) {
      piece += line
      rows += 1
      if (rows % ROWS_AT_ONCE !== 0) continue
      yield piece
      piece = ''
    }
    yield piece
  }

  private *lines(): Generator<string> {
    for (const row of this.rejected.keys()) yield `${row}\t${OVERRIDE.drop}\t0\n`
    for (const row of this.blank) yield `${row}\t${OVERRIDE.drop}\t0\n`
    for (const [row, time] of this.times) yield `${row}\t${OVERRIDE.timed}\t${time}\n`
    for (const row of this.accepted) {
      if (!this.times.has(row) && !this.rejected.has(row)) yield `${row}\t${OVERRIDE.passed}\t0\n`
    }
  }

  /** Removes the file; one that can't be removed remains until the next start. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => {})
  }
}
