import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import { outermostEvents } from '../../../input/events.js'
import { writeError, writeOutputFile } from '../../output/file.js'
import { eventTime, type TimeOptions } from '../option/event-time.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import type { EarlierProgress, Reporter } from './reporter.js'

interface ReceiptOptions {
  readonly path: string
  readonly dataset: string
  readonly time: TimeOptions
  /** True when every input was read and nothing stopped the run. */
  readonly isComplete: () => boolean
}

/** The outcomes of the events of a file. `evq help input` lists the members. */
interface FileTotals {
  readonly file: string
  accepted: number
  rejected: number
  unsent: number
  unconfirmed: number
  bytes: number
  timestampField?: string
  firstEvent?: TimedEvent
  lastEvent?: TimedEvent
}

/** The number of an event in the file, and its time if it has one. */
interface TimedEvent {
  readonly place: number
  readonly time: string | undefined
}

/** Writes the receipt: the outcomes of the events of each file. */
export class Receipt implements Reporter {
  private readonly options: ReceiptOptions
  private readonly files = new Map<string, FileTotals>()
  private batches = 0
  private retries = 0

  constructor(options: ReceiptOptions) {
    this.options = options
  }

  async settled(outcome: BatchOutcome): Promise<void> {
    const { batch, accepted, rejected, unsent, unconfirmed, retries } = outcome
    const file = this.file(batch.input)
    file.accepted += accepted
    file.rejected += countEvents(rejected)
    file.unsent += countEvents(unsent)
    file.unconfirmed += countEvents(unconfirmed)
    file.bytes += batch.bytes
    const { timestampField } = batch.mapping ?? {}
    if (timestampField !== undefined) file.timestampField = timestampField
    this.batches += 1
    this.retries += retries
    this.noteTimes(file, batch)
  }

  async unsendable({ input }: UnsendableEvent): Promise<void> {
    this.file(input).rejected += 1
  }

  async ended({ input }: InputEnd): Promise<void> {
    this.file(input)
  }

  async restored({ input, accepted, rejected, bytes }: EarlierProgress): Promise<void> {
    const file = this.file(input)
    file.accepted += accepted
    file.rejected += rejected
    file.bytes += bytes
  }

  async close(): Promise<void> {
    const { path } = this.options
    const text = `${JSON.stringify(this.encoded(), null, 2)}\n`
    await writeOutputFile(path, text, { mode: 0o600 }).catch((error: unknown) => {
      throw writeError(`\`${path}\``, error)
    })
  }

  private encoded(): object {
    const { dataset, isComplete } = this.options
    const files = [...this.files.values()]
    const isShort = files.some(({ unsent, unconfirmed }) => unsent + unconfirmed > 0)
    return {
      dataset,
      files: files.map(encodedFile),
      batches: this.batches,
      retries: this.retries,
      complete: isComplete() && !isShort,
    }
  }

  private file(input: string): FileTotals {
    const known = this.files.get(input)
    if (known !== undefined) return known
    const file = { file: input, accepted: 0, rejected: 0, unsent: 0, unconfirmed: 0, bytes: 0 }
    this.files.set(input, file)
    return file
  }

  /** Records the times of the first and the last event. Batches end in any order. */
  private noteTimes(file: FileTotals, batch: Batch): void {
    const { start, events } = batch
    const last = start.event + events - 1
    const isFirst = file.firstEvent === undefined || start.event < file.firstEvent.place
    const isLast = file.lastEvent === undefined || last > file.lastEvent.place
    if (!isFirst && !isLast) return
    const [opening, closing] = outermostEvents(batch).map((extent) =>
      eventTime(batch, extent, this.options.time),
    )
    if (isFirst) file.firstEvent = { place: start.event, time: opening }
    if (isLast) file.lastEvent = { place: last, time: closing }
  }
}

function encodedFile(totals: FileTotals): object {
  const {
    file,
    accepted,
    rejected,
    unsent,
    unconfirmed,
    bytes,
    timestampField,
    firstEvent: first,
    lastEvent: last,
  } = totals
  return {
    file,
    read: accepted + rejected + unsent + unconfirmed,
    accepted,
    rejected,
    skipped: 0,
    ...(unsent > 0 && { unsent }),
    ...(unconfirmed > 0 && { unconfirmed }),
    bytes,
    timestampField,
    firstTime: first?.time ?? null,
    lastTime: last?.time ?? null,
  }
}
