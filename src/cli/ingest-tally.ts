import type { Batch, Unsendable } from '../input/batch.js'
import { locate, locateUnsendable } from '../input/locate.js'
import type { IngestResult } from '../wire/ingest.js'
import { counted, shortBytes, shortDuration } from './quantity.js'

/** So many rejected events are shown one by one; the others are counted. */
const MOST_SHOWN = 10

/** What has become of the events so far. */
export class IngestTally {
  stored = 0
  /** Refused by the service one by one, or not fit to be sent. */
  rejected = 0
  /** In batches that the service refused whole. */
  refused = 0
  /** Read, but without an answer from the service. */
  unsent = 0
  private bytes = 0
  private shown = 0
  private readonly dataset: string
  private readonly note: (text: string) => void
  private readonly startedAt = performance.now()

  constructor(options: { readonly dataset: string; note(text: string): void }) {
    this.dataset = options.dataset
    this.note = options.note
  }

  /** The service's answer to a batch. */
  add(batch: Batch, { ingested, failed, failures }: IngestResult): void {
    this.stored += ingested
    this.bytes += batch.bytes
    for (const failure of failures) this.show(() => `${locate(batch, failure)}: ${failure.error}`)
    this.rejected += failed
    // A service that counts differently has lost events, or this program has.
    const missing = batch.events - ingested - failed
    if (missing > 0) {
      this.unsent += missing
      this.note(
        `${locate(batch, {})}: the service's answer leaves out ${counted(missing, 'event')}.`,
      )
    }
  }

  addUnsendable(unsendable: Unsendable): void {
    this.show(() => `${locateUnsendable(unsendable)}: ${unsendable.reason}`)
    this.rejected += 1
  }

  /** A batch that the service would not take at all. */
  addRefused(batch: Batch, reason: string): void {
    const { input, start, events } = batch
    this.note(`${input}, events ${start.event + 1} to ${start.event + events}: refused: ${reason}`)
    this.refused += events
  }

  /** The last line: what became of the events, and how fast. */
  summary(): string {
    const { dataset, stored, rejected, refused, unsent, bytes } = this
    const total = stored + rejected + refused + unsent
    if (total === 0) return `${dataset}: 0 events stored, none were found`
    const ms = performance.now() - this.startedAt
    const rate = Math.round(stored / (ms / 1000))
    return [
      `${dataset}: ${counted(stored, 'event')} stored`,
      ...(rejected + refused > 0
        ? [`${(rejected + refused).toLocaleString('en-US')} rejected`]
        : []),
      ...(unsent > 0 ? [`${unsent.toLocaleString('en-US')} without an answer`] : []),
      `${shortBytes(bytes)} in ${shortDuration(ms)}`,
    ]
      .join(', ')
      .concat(stored > 0 ? ` (${rate.toLocaleString('en-US')}/s)` : '')
  }

  /** Says how many rejected events were not shown one by one. */
  showRest(): void {
    const rest = this.rejected - this.shown
    if (rest > 0) this.note(`… and ${counted(rest, 'rejected event')} more`)
  }

  private show(text: () => string): void {
    if (this.shown === MOST_SHOWN) return
    this.shown += 1
    this.note(text())
  }
}
