import { open } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { EventOptions } from '../../wire/event/event-options.js'
import { readLeaves } from '../../wire/json/json-line.js'
import type { RejectedLine } from '../batch.js'
import type { Dataset } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import type { LineCounts, Lines } from '../line-reader.js'
import {
  columnsByPath,
  eventSchemaOf,
  hasTimeLabel,
  kindsOf,
  unexpectedLeaves,
} from './event-fields.js'
import { ExactEvents } from './exact-events.js'
import type { ColumnFile } from './scan/column-file.js'
import { EventScanner } from './scan/event-scanner.js'

/** Scans at a time: while one reads or writes, the other examines lines. Each has megabytes of memory. */
const scans = pLimit(2)
/** Scanners kept for reuse. */
const idle: EventScanner[] = []

/** Lines, and how their events are read. */
export interface ScanTask {
  readonly lines: Lines
  readonly terms: EventOptions
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The number of the first line in the file of columns. */
  readonly firstRow: number
}

/** The result of reading the lines of a batch for a dataset. */
export interface EventScan {
  readonly dataset: Dataset
  readonly counts: LineCounts
  /** The number of events stored. */
  readonly rows: number
  readonly rejected: readonly RejectedLine[]
  /** The values that the dataset does not expect. */
  readonly unexpected: FieldStatistics
}

/** Writes the events of lines as columns. */
export async function scanEvents(
  task: ScanTask,
  dataset: Dataset,
  output: ColumnFile,
): Promise<EventScan> {
  return await scans(async () => {
    const scanner = idle.pop() ?? new EventScanner()
    try {
      return await new Scan({ task, dataset, output, scanner }).run()
    } finally {
      idle.push(scanner)
    }
  })
}

interface ScanOptions {
  readonly task: ScanTask
  readonly dataset: Dataset
  readonly output: ColumnFile
  readonly scanner: EventScanner
}

class Scan {
  private readonly options: ScanOptions
  private readonly unexpected = new FieldStatistics()
  private readonly exact: ExactEvents

  constructor(options: ScanOptions) {
    this.options = options
    const { dataset, task } = options
    this.exact = new ExactEvents({ ...task, dataset, unexpected: this.unexpected })
  }

  async run(): Promise<EventScan> {
    const { scanner, dataset, task } = this.options
    const { terms, lines, arrivedAt, firstRow } = task
    scanner.begin({
      schema: eventSchemaOf(dataset, terms),
      arrivedAt,
      timeFormat: terms.timeFormat,
      firstRow,
      isByHost: hasTimeLabel(terms),
    })
    if (lines.kind === 'bytes') await this.readBytes(lines.bytes)
    else await this.readFile(lines.path)
    await this.write(scanner.end())
    const { bytes, filled, ...all } = scanner.counts
    const { stored, blank, rejected } = this.exact
    const rows = all.rows + stored
    this.addUnexpected(rows)
    const counts = { bytes, lines: all.lines - firstRow, events: filled - blank }
    return { dataset, counts, rows, rejected, unexpected: this.unexpected }
  }

  private async readBytes(bytes: Buffer): Promise<void> {
    const { scanner } = this.options
    for (let at = 0; at < bytes.length; ) {
      const count = bytes.copy(scanner.room, 0, at)
      await this.write(scanner.push(count))
      at += count
    }
  }

  private async readFile(path: string): Promise<void> {
    const { scanner } = this.options
    const file = await open(path)
    try {
      for (let position = 0; ; ) {
        const { room } = scanner
        const { bytesRead } = await file.read(room, 0, room.length, position)
        if (bytesRead === 0) return
        await this.write(scanner.push(bytesRead))
        position += bytesRead
      }
    } finally {
      await file.close()
    }
  }

  private async write(blocks: Iterable<Buffer>): Promise<void> {
    const { output } = this.options
    for (const block of blocks) {
      await output.write(block)
      await this.readExactly()
    }
    await this.readExactly()
  }

  private async readExactly(): Promise<void> {
    const { output, scanner } = this.options
    const lines = scanner.takeLines()
    if (lines.length === 0) return
    const block = await this.exact.read(lines)
    if (block !== undefined) await output.write(block)
  }

  private addUnexpected(rows: number): void {
    const { scanner, dataset, task } = this.options
    for (const { path, kinds, count } of scanner.unexpected()) {
      this.unexpected.addValues(path, { kinds: kindsOf(kinds), count })
    }
    const { labels } = task.terms
    if (labels === undefined || rows === 0) return
    const columns = columnsByPath(dataset)
    const leaves = unexpectedLeaves(dataset, readLeaves(`{${labels}}`), { ...task, columns })
    for (const { path, kinds } of leaves) this.unexpected.addValues(path, { kinds, count: rows })
  }
}
