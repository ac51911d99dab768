import type { NearbyEvent } from './nearby-events.js'
import type { EventCells } from './table.js'

/** The matches that have not been found yet among the events of a dataset. Equal events are interchangeable. */
export class WantedMatches {
  /** The times by which events are ordered, in ascending order. */
  private readonly times: readonly bigint[]
  private passed = 0
  /** The number of matches by the time by which events are ordered, by both times of the event, and by its identity. */
  private readonly counts = new Map<bigint, Map<string, Map<string, number>>>()

  constructor(matches: readonly NearbyEvent[]) {
    for (const { event, at } of matches) {
      const byTime = this.counts.get(at) ?? new Map<string, Map<string, number>>()
      this.counts.set(at, byTime)
      const counts = byTime.get(timeKeyOf(event)) ?? new Map<string, number>()
      byTime.set(timeKeyOf(event), counts)
      const identity = identityOf(event)
      counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    this.times = [...this.counts.keys()].sort((one, other) => (one < other ? -1 : 1))
  }

  /** The time of the next match; undefined when all matches have been found. */
  get next(): bigint | undefined {
    return this.times[this.passed]
  }

  /** Returns true for a match, which is then no longer wanted. */
  take({ event, at }: NearbyEvent): boolean {
    const byTime = this.counts.get(at)
    const counts = byTime?.get(timeKeyOf(event))
    if (byTime === undefined || counts === undefined) return false
    const identity = identityOf(event)
    const count = counts.get(identity)
    if (count === undefined) return false
    if (count > 1) counts.set(identity, count - 1)
    else counts.delete(identity)
    if (counts.size === 0) byTime.delete(timeKeyOf(event))
    if (byTime.size === 0) {
      this.counts.delete(at)
      this.passMet()
    }
    return true
  }

  /** Forgets the matches up to a time that were not found, because they were deleted in the meantime. */
  forgetUpTo(time: bigint): void {
    while (this.next !== undefined && this.next <= time) {
      this.counts.delete(this.next)
      this.passMet()
    }
  }

  private passMet(): void {
    while (this.next !== undefined && !this.counts.has(this.next)) this.passed += 1
  }
}

/** Returns both times of an event, which are compared before its other fields. */
function timeKeyOf(event: EventCells): string {
  return `${event.get('_time')} ${event.get('_sysTime')}`
}

/** Returns the identity of an event. A null field may be absent from another response. */
function identityOf(event: EventCells): string {
  const cells = [...event].filter(([, cell]) => cell !== 'null')
  return JSON.stringify(cells.sort(([one], [other]) => (one < other ? -1 : 1)))
}
