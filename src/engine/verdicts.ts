import { rm, writeFile } from 'node:fs/promises'
import { type InsertionFile, VERDICT } from './insertion.js'
import type { PickedLine } from './picked-lines.js'
import type { Rejected, Stored } from './store.js'

/** What was said of lines of a file that were looked at one by one. */
export class Verdicts {
  /** Where they are written for the engine. */
  readonly path: string
  private readonly file: InsertionFile
  private readonly rejected = new Map<number, Rejected>()
  private readonly blank = new Set<number>()
  private readonly times = new Map<number, bigint>()
  private readonly passed = new Set<number>()

  constructor(file: InsertionFile) {
    this.file = file
    this.path = `${file.path}.verdicts`
  }

  /** On how many lines there is one. */
  get count(): number {
    return this.rejected.size + this.blank.size + this.times.size + this.passed.size
  }

  /** Whether no event is left to be stored. */
  get leaveNothing(): boolean {
    return this.rejected.size === this.file.facts.filled
  }

  reject({ row, index }: PickedLine, reason: string): void {
    this.rejected.set(row, { index, line: row + 1, reason })
  }

  /** There is no event on the line. */
  passOver({ row }: PickedLine): void {
    this.blank.add(row)
  }

  /** The event's time, nanoseconds since 1970, which the engine can't read. */
  time(row: number, time: bigint): void {
    this.times.set(row, time)
  }

  /** The event is one, though the engine could not tell. */
  pass({ row }: PickedLine): void {
    this.passed.add(row)
  }

  /** What becomes of each part of the file, once all that was not rejected is stored. */
  outcome(): readonly Stored[] {
    const all = [...this.rejected].sort(([one], [other]) => one - other)
    let next = 0
    let firstIndex = 0
    return this.file.parts.map(({ firstRow, filled }, i) => {
      const end = this.file.parts[i + 1]?.firstRow ?? this.file.facts.lines
      const rejected: Rejected[] = []
      for (let found = all[next]; found !== undefined && found[0] < end; found = all[++next]) {
        const [row, { index, ...about }] = found
        rejected.push({ ...about, index: index - firstIndex, line: row - firstRow + 1 })
      }
      firstIndex += filled
      const ingested = filled - rejected.length
      return { ingested, rejected, blocksCreated: ingested > 0 ? 1 : 0 }
    })
  }

  async write(): Promise<void> {
    if (this.count === 0) return
    const dropped = [...this.rejected.keys(), ...this.blank]
    const lines = [
      ...dropped.map((row) => `${row}\t${VERDICT.drop}\t0\n`),
      ...[...this.times].map(([row, time]) => `${row}\t${VERDICT.timed}\t${time}\n`),
    ]
    for (const row of this.passed) {
      if (!this.times.has(row) && !this.rejected.has(row))
        lines.push(`${row}\t${VERDICT.passed}\t0\n`)
    }
    await writeFile(this.path, lines.join(''), { mode: 0o600 })
  }

  /** Removes the file; one that can't be removed stays until the next start. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => {})
  }
}
