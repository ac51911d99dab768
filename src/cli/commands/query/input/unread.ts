import type { UnsendableEvent } from '../../../../input/batch.js'
import { locate, locateUnsendable, sourcesOf } from '../../../../input/locate.js'
import { shrunkError } from '../../../../input/open.js'
import type { FileScan } from '../../../../local/file-scan.js'
import { counted, formatInteger } from '../../../../text/integer.js'
import type { Context } from '../../../context.js'
import { InputNotes } from '../../../ingest/report/input-notes.js'
import { rejectionAdvice } from '../../../ingest/report/rejection-advice.js'
import type { Reporter } from '../../../ingest/report/reporter.js'
import { type BatchOutcome, countEvents } from '../../../ingest/send/outcome.js'

/** The number of unread events that are named. */
const MAX_NAMED = 3

/**
 * Counts the events of a query's inputs that could not be read, and names the first of them; also names the first event of each input
 * whose detected time is not a time.
 */
export class Unread implements Reporter {
  /** The number of events that were read. */
  events = 0
  /** The number of events that could not be read. */
  unread = 0
  private readonly named: string[] = []
  /** The messages about inputs that could not be read, or not to their end. */
  readonly inputs: string[] = []
  private notes = new InputNotes()

  async settled(outcome: BatchOutcome): Promise<void> {
    const { batch, accepted, rejected, unsent, unconfirmed } = outcome
    this.events += accepted
    this.notes.addUntimed(outcome)
    const failed = [...rejected, ...unsent, ...unconfirmed]
    if (failed.length === 0) return
    const source = sourcesOf(batch)
    this.unread += countEvents(failed)
    for (const { range, reason } of failed) {
      if (this.named.length === MAX_NAMED) return
      this.named.push(`${locate(batch, range, source)}: ${reason}`)
    }
  }

  async unsendable(event: UnsendableEvent): Promise<void> {
    this.unread += 1
    if (this.named.length < MAX_NAMED) {
      this.named.push(`${locateUnsendable(event)}: ${event.reason}`)
    }
  }

  /** Records an input that could not be read, or not to its end. */
  addInput(message: string): void {
    this.inputs.push(message)
  }

  /** Forgets everything, before the inputs are read once more. */
  clear(): void {
    this.events = this.unread = 0
    this.named.length = this.inputs.length = 0
    this.notes = new InputNotes()
  }

  get isComplete(): boolean {
    return this.unread === 0 && this.inputs.length === 0
  }

  report({ warn }: Pick<Context, 'warn'>): void {
    for (const text of this.inputs) warn(text)
    for (const text of [...this.named, ...this.notes.untimedLines()]) warn(text)
    const advice = rejectionAdvice(this.named)
    if (advice !== undefined) warn(advice)
    if (this.unread === 0) return
    const total = counted(this.unread + this.events, 'event')
    const are = this.unread === 1 ? 'is' : 'are'
    warn(
      `${formatInteger(this.unread)} of ${total} could not be read and ${are} missing from the result.`,
    )
  }
}

/** Records the files that became shorter since their scan began: their last events are missing. */
export function addShrunk(scan: FileScan | undefined, unread: Unread): void {
  for (const path of scan?.shrunkFiles() ?? []) unread.addInput(shrunkError(path).message)
}
