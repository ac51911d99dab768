import pLimit from 'p-limit'
import type { RejectedLine } from '../../wire/event/event-lines.js'
import { readLeaves } from '../../wire/json/json-line.js'
import type { Dataset } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { chunksOf, type LineCounts, type Lines } from '../line-reader.js'
import { eventSchemaOf, hasTimeLabel, kindsOf, unexpectedLeaves } from './event-fields.js'
import { ExactEvents, type LineTerms } from './exact-events.js'
import type { ColumnFile } from './scan/column-file.js'
import { EventScanner } from './scan/event-scanner.js'

/** Scans at a time: while one reads or writes, the other examines lines. Each has megabytes of memory. */
const scans = pLimit(2)
/** Scanners kept for reuse. */
const idle: EventScanner[] = []

export interface ScanTask extends LineTerms {
  readonly lines: Lines
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
  output: Pick<ColumnFile, 'write'>,
): Promise<EventScan> {
  return await scans(async () => {
    const scanner = idle.pop() ?? new EventScanner()
    try {
      return await scan(task, dataset, { output, scanner })
    } finally {
      idle.push(scanner)
    }
  })
}

async function scan(
  task: ScanTask,
  dataset: Dataset,
  {
    output,
    scanner,
  }: { readonly output: Pick<ColumnFile, 'write'>; readonly scanner: EventScanner },
): Promise<EventScan> {
  const { terms, lines, arrivedAt, firstRow } = task
  const unexpected = new FieldStatistics()
  const exact = new ExactEvents({ ...task, dataset, unexpected })

  async function write(blocks: Iterable<Buffer>): Promise<void> {
    for (const block of blocks) {
      await output.write(block)
      await readExactly()
    }
    await readExactly()
  }

  async function readExactly(): Promise<void> {
    const left = scanner.takeLines()
    if (left.length === 0) return
    const block = await exact.read(left)
    if (block !== undefined) await output.write(block)
  }

  scanner.begin({
    schema: eventSchemaOf(dataset, terms),
    arrivedAt,
    timeFormat: terms.timeFormat,
    firstRow,
    isByHost: hasTimeLabel(terms),
  })
  for await (const chunk of chunksOf(lines)) {
    for (let at = 0; at < chunk.length; ) {
      const count = chunk.copy(scanner.room, 0, at)
      await write(scanner.push(count))
      at += count
    }
  }
  await write(scanner.end())
  for (const { path, kinds, count } of scanner.unexpected()) {
    unexpected.addValues(path, { kinds: kindsOf(kinds), count })
  }
  const { bytes, filled, ...all } = scanner.counts
  const { stored, blank, rejected } = exact
  const rows = all.rows + stored
  if (terms.labels !== undefined && rows > 0) {
    const labels = unexpectedLeaves(dataset, readLeaves(`{${terms.labels}}`), terms)
    for (const { path, kinds } of labels) unexpected.addValues(path, { kinds, count: rows })
  }
  const counts = { bytes, lines: all.lines - firstRow, events: filled - blank }
  return { dataset, counts, rows, rejected, unexpected }
}
