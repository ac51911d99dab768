import type { JsonText } from '../../wire/json/json-text.js'
import type { EventCells } from './event-cells.js'
import type { NearbyEvent } from './nearby-events.js'

/** The matches that have not been met yet among the events of a dataset. Equal events match equally. */
export class WantedMatches {
  /** The times of arrival, in order. */
  private readonly times: readonly bigint[]
  private passed = 0
  /** By time of arrival, the time of the event, and its identity: the number of matches. */
  private readonly counts = new Map<bigint, Map<JsonText, Map<string, number>>>()

  constructor(matches: readonly NearbyEvent[]) {
    for (const { event, arrivedAt } of matches) {
      const byTime = this.counts.get(arrivedAt) ?? new Map<JsonText, Map<string, number>>()
      this.counts.set(arrivedAt, byTime)
      const counts = byTime.get(timeOf(event)) ?? new Map<string, number>()
      byTime.set(timeOf(event), counts)
      const identity = identityOf(event)
      counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    this.times = [...this.counts.keys()].sort((one, other) => (one < other ? -1 : 1))
  }

  /** The time of arrival of the next match; undefined without one. */
  get next(): bigint | undefined {
    return this.times[this.passed]
  }

  /** True if an event is a match, which is then no longer wanted. */
  take({ event, arrivedAt }: NearbyEvent): boolean {
    const byTime = this.counts.get(arrivedAt)
    const counts = byTime?.get(timeOf(event))
    if (byTime === undefined || counts === undefined) return false
    const identity = identityOf(event)
    const count = counts.get(identity)
    if (count === undefined) return false
    if (count > 1) counts.set(identity, count - 1)
    else counts.delete(identity)
    if (counts.size === 0) byTime.delete(timeOf(event))
    if (byTime.size === 0) {
      this.counts.delete(arrivedAt)
      this.passMet()
    }
    return true
  }

  /** Forgets the matches that arrived up to a time: they were deleted in the meantime. */
  forgetUpTo(time: bigint): void {
    for (const known of [...this.counts.keys()]) if (known <= time) this.counts.delete(known)
    this.passMet()
  }

  private passMet(): void {
    while (this.next !== undefined && !this.counts.has(this.next)) this.passed += 1
  }
}

function timeOf(event: EventCells): JsonText {
  return event.get('_time') ?? 'null'
}

/** Returns the identity of an event. A null field may be absent from another response. */
function identityOf(event: EventCells): string {
  const cells = [...event].filter(([, cell]) => cell !== 'null')
  return JSON.stringify(cells.sort(([one], [other]) => (one < other ? -1 : 1)))
}
