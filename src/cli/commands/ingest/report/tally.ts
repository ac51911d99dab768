import type { Batch, UnsendableEvent } from '../../../../input/batch.js'
import { locate, locateUnsendable, sourcesOf } from '../../../../input/locate.js'
import { formatInteger } from '../../../../text/integer.js'
import { counted, shortBytes, shortDuration } from '../../../option/quantity.js'
import { type Account, eventsIn, type Outcome, type Shortfall } from './account.js'

/** So many rejected events are shown one by one; the others are counted. */
const MOST_SHOWN = 10

/** The account that the user sees: the first rejected events, and the summary. */
export class IngestTally implements Account {
  stored = 0
  /** Refused by the service, or not fit to be sent. */
  rejected = 0
  unsent = 0
  unconfirmed = 0
  private bytes = 0
  private shown = 0
  /** How many rejected events stand behind the lines that were shown. */
  private told = 0
  private readonly dataset: string
  private readonly note: (text: string) => void
  private readonly startedAt = performance.now()

  constructor(options: { readonly dataset: string; note(text: string): void }) {
    this.dataset = options.dataset
    this.note = options.note
  }

  async settled({ batch, accepted, rejected, unsent, unconfirmed }: Outcome): Promise<void> {
    this.stored += accepted
    if (accepted > 0) this.bytes += batch.bytes
    if (rejected.length > 0) this.showRejected(batch, rejected)
    this.rejected += eventsIn(rejected)
    this.unsent += eventsIn(unsent)
    const [first] = unconfirmed
    if (first !== undefined && this.unconfirmed === 0) {
      this.note(`${locate(batch, first.among)}: ${first.reason}`)
    }
    this.unconfirmed += eventsIn(unconfirmed)
  }

  async unsendable(unsendable: UnsendableEvent): Promise<void> {
    this.show(() => `${locateUnsendable(unsendable)}: ${unsendable.reason}`, 1)
    this.rejected += 1
  }

  /** The last line: what became of the events, and how fast. */
  summary({ hasDone = false } = {}): string {
    const { dataset, stored, rejected, unsent, unconfirmed, bytes } = this
    const total = stored + rejected + unsent + unconfirmed
    if (total === 0)
      return `${dataset}: 0 events stored, ${hasDone ? 'none are new' : 'none were found'}`
    const ms = performance.now() - this.startedAt
    const rate = Math.round(stored / (ms / 1000))
    const others = [
      [rejected, 'rejected'],
      [unsent, 'not sent'],
      [unconfirmed, 'not confirmed'],
    ] as const
    return [
      `${dataset}: ${counted(stored, 'event')} stored`,
      ...others.flatMap(([count, fate]) => (count > 0 ? [`${formatInteger(count)} ${fate}`] : [])),
      `${shortBytes(bytes)} in ${shortDuration(ms)}`,
    ]
      .join(', ')
      .concat(rate > 0 ? ` (${formatInteger(rate)}/s)` : '')
  }

  /** Says how many rejected events were not shown one by one. */
  showRest(): void {
    const rest = this.rejected - this.told
    if (rest > 0) this.note(`… and ${counted(rest, 'rejected event')} more`)
  }

  private showRejected(batch: Batch, rejected: readonly Shortfall[]): void {
    const source = sourcesOf(batch)
    for (const { among, events, reason } of rejected) {
      const several = among.events > 1 ? ` (${counted(events, 'event')})` : ''
      this.show(() => `${locate(batch, among, source)}: ${reason}${several}`, events)
    }
  }

  private show(text: () => string, events: number): void {
    if (this.shown === MOST_SHOWN) return
    this.shown += 1
    this.told += events
    this.note(text())
  }
}
