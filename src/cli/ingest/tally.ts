import type { Batch, Unsendable } from '../../input/batch.js'
import { locate, locateUnsendable } from '../../input/locate.js'
import type { IngestResult } from '../../wire/ingest.js'
import { counted, shortBytes, shortDuration } from '../quantity.js'

/** So many rejected events are shown one by one; the others are counted. */
const MOST_SHOWN = 10

/** What has become of the events so far. */
export class IngestTally {
  stored = 0
  /** Refused by the service one by one, or not fit to be sent. */
  rejected = 0
  /** In batches that the service refused whole. */
  refused = 0
  /** Read, but not told of by the service. */
  unaccounted = 0
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
    if (missing <= 0) return
    if (this.unaccounted === 0) this.note(`${batchRange(batch)}: the answer leaves some out`)
    this.unaccounted += missing
  }

  addUnsendable(unsendable: Unsendable): void {
    this.show(() => `${locateUnsendable(unsendable)}: ${unsendable.reason}`)
    this.rejected += 1
  }

  /** A batch that the service would not take at all. */
  addRefused(batch: Batch, reason: string): void {
    if (this.refused === 0) this.note(`${batchRange(batch)}: refused together: ${reason}`)
    this.refused += batch.events
  }

  /** A batch without an answer: it may be stored or not. */
  addUnanswered(batch: Batch): void {
    this.unaccounted += batch.events
  }

  /** The last line: what became of the events, and how fast. */
  summary(): string {
    const { dataset, stored, rejected, refused, unaccounted, bytes } = this
    const total = stored + rejected + refused + unaccounted
    if (total === 0) return `${dataset}: 0 events stored, none were found`
    const ms = performance.now() - this.startedAt
    const rate = Math.round(stored / (ms / 1000))
    return [
      `${dataset}: ${counted(stored, 'event')} stored`,
      ...(rejected + refused > 0
        ? [`${(rejected + refused).toLocaleString('en-US')} rejected`]
        : []),
      ...(unaccounted > 0 ? [`${unaccounted.toLocaleString('en-US')} not confirmed`] : []),
      `${shortBytes(bytes)} in ${shortDuration(ms)}`,
    ]
      .join(', ')
      .concat(rate > 0 ? ` (${rate.toLocaleString('en-US')}/s)` : '')
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

function batchRange({ input, start, events }: Batch): string {
  const first = (start.event + 1).toLocaleString('en-US')
  const last = (start.event + events).toLocaleString('en-US')
  return events === 1 ? `${input}, event ${first}` : `${input}, events ${first} to ${last}`
}
