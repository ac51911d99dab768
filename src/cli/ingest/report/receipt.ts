import type { Batch } from '../../../input/batch.js'
import { outermostEvents } from '../../../input/events.js'
import { withWriteErrors, writeOutputFile } from '../../output/file.js'
import { eventTime, type TimeOptions } from '../option/event-time.js'
import { countEvents } from '../send/outcome.js'
import type { Reporter } from './reporter.js'

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
export function receiptOf({ path, dataset, time, isComplete }: ReceiptOptions): Reporter {
  const files = new Map<string, FileTotals>()
  let batches = 0
  let retries = 0

  function totalsOf(input: string): FileTotals {
    const known = files.get(input)
    if (known !== undefined) return known
    const file = { file: input, accepted: 0, rejected: 0, unsent: 0, unconfirmed: 0, bytes: 0 }
    files.set(input, file)
    return file
  }

  /** Records the times of the first and the last event. Batches end in any order. */
  function noteTimes(file: FileTotals, batch: Batch): void {
    const { start, events } = batch
    const last = start.event + events - 1
    const isFirst = file.firstEvent === undefined || start.event < file.firstEvent.place
    const isLast = file.lastEvent === undefined || last > file.lastEvent.place
    if (!isFirst && !isLast) return
    const [opening, closing] = outermostEvents(batch).map((extent) =>
      eventTime(batch, extent, time),
    )
    if (isFirst) file.firstEvent = { place: start.event, time: opening }
    if (isLast) file.lastEvent = { place: last, time: closing }
  }

  return {
    async settled({ batch, accepted, rejected, unsent, unconfirmed, ...outcome }) {
      const file = totalsOf(batch.input)
      file.accepted += accepted
      file.rejected += countEvents(rejected)
      file.unsent += countEvents(unsent)
      file.unconfirmed += countEvents(unconfirmed)
      file.bytes += batch.bytes
      const { timestampField } = batch.mapping ?? {}
      if (timestampField !== undefined) file.timestampField = timestampField
      batches += 1
      retries += outcome.retries
      noteTimes(file, batch)
    },
    async unsendable({ input }) {
      totalsOf(input).rejected += 1
    },
    async ended({ input }) {
      totalsOf(input)
    },
    async restored({ input, accepted, rejected, bytes }) {
      const file = totalsOf(input)
      file.accepted += accepted
      file.rejected += rejected
      file.bytes += bytes
    },
    async close() {
      const all = [...files.values()]
      const isShort = all.some(({ unsent, unconfirmed }) => unsent + unconfirmed > 0)
      const complete = isComplete() && !isShort
      const receipt = { dataset, files: all.map(encodedFile), batches, retries, complete }
      const text = `${JSON.stringify(receipt, null, 2)}\n`
      await withWriteErrors(path, () => writeOutputFile(path, text, { mode: 0o600 }))
    },
  }
}

function encodedFile(totals: FileTotals): object {
  const { file, accepted, rejected, unsent, unconfirmed, bytes, timestampField } = totals
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
    firstTime: totals.firstEvent?.time ?? null,
    lastTime: totals.lastEvent?.time ?? null,
  }
}
