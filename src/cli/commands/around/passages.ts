// The matches and the events around them, as groups of consecutive events.
import type { JsonText } from '../../../wire/json/json-text.js'
import { type EventPosition, isBefore } from '../tail/seen.js'
import type { Direction, EventCells, Instant, Timeline } from './timeline.js'

/** An event of the output. */
export interface ShownEvent {
  readonly event: EventCells
  readonly isMatch: boolean
}

/** Consecutive events with at least one match. */
export type Passage = readonly ShownEvent[]

/** A row of the query and its position. */
export interface Match {
  readonly place: EventPosition
  readonly event: EventCells
}

/** The matches whose neighbors are read at the same time. */
const PARALLEL_MATCHES = 4

/** Returns the groups of events around matches that are on one timeline, with the position of each. */
export async function passagesAround(
  matches: readonly Match[],
  timeline: Timeline,
  { before, after }: { readonly before: number; readonly after: number },
): Promise<readonly { readonly place: EventPosition; readonly passage: Passage }[]> {
  async function read(place: EventPosition): Promise<void> {
    const instant = await timeline.at(place, after)
    await timeline.reach(instant, 'previous', before)
    // The next event tells whether another match follows immediately.
    await timeline.reach(instant, 'next', Math.max(after, 1))
  }
  const selection = new Selection()
  const taken = new Map<Instant, Set<number>>()
  for (const [number, match] of matches.entries()) {
    if (number % PARALLEL_MATCHES === 0) {
      const some = matches.slice(number, number + PARALLEL_MATCHES)
      await Promise.all(some.map(({ place }) => read(place)))
    }
    const instant = await timeline.at(match.place, after)
    const index = indexOf(match, instant, taken)
    if (index === undefined) continue
    selection.add({ instant, index }, true)
    for (const [direction, count] of [
      ['previous', before],
      ['next', after],
    ] as const) {
      let at: Spot | undefined = { instant, index }
      for (let step = 0; step < count; step++) {
        at = neighbor(at, direction)
        if (at === undefined) break
        selection.add(at, false)
      }
    }
  }
  return selection.passages()
}

/** An event of an instant. */
interface Spot {
  readonly instant: Instant
  readonly index: number
}

/** Returns the place of a match among the events with the same times. Equal events match equally. */
function indexOf(
  { event }: Match,
  instant: Instant,
  taken: Map<Instant, Set<number>>,
): number | undefined {
  const used = taken.get(instant) ?? new Set()
  taken.set(instant, used)
  const identity = identityOf(event)
  const index = instant.events.findIndex(
    (other, at) => !used.has(at) && identityOf(other) === identity,
  )
  used.add(index)
  return index === -1 ? undefined : index
}

/** Returns the identity of an event. A null field may be absent from another response. */
function identityOf(event: EventCells): string {
  let identity = identities.get(event)
  if (identity === undefined) {
    const cells = [...event].filter(([, cell]) => cell !== 'null').sort(byName)
    identity = JSON.stringify(cells)
    identities.set(event, identity)
  }
  return identity
}

const identities = new WeakMap<EventCells, string>()

function byName([one]: readonly [string, JsonText], [other]: readonly [string, JsonText]): number {
  return one < other ? -1 : 1
}

function neighbor({ instant, index }: Spot, direction: Direction): Spot | undefined {
  const beside = index + (direction === 'next' ? 1 : -1)
  if (instant.events[beside] !== undefined) return { instant, index: beside }
  const other = instant[direction]
  if (other === undefined || other === 'end') return undefined
  return { instant: other, index: direction === 'next' ? 0 : other.events.length - 1 }
}

/** The selected events of a timeline. */
class Selection {
  private readonly events = new Map<Instant, Map<number, boolean>>()

  add({ instant, index }: Spot, isMatch: boolean): void {
    const events = this.events.get(instant) ?? new Map<number, boolean>()
    this.events.set(instant, events)
    events.set(index, isMatch || events.get(index) === true)
  }

  /** Returns the selected events in order, divided where events in between are not selected. */
  passages(): { readonly place: EventPosition; readonly passage: Passage }[] {
    const instants = [...this.events.keys()].sort(byPlace)
    const passages: { readonly place: EventPosition; readonly passage: ShownEvent[] }[] = []
    let last: Spot | undefined
    for (const instant of instants) {
      const events = [...this.events.get(instant)!].sort(([one], [other]) => one - other)
      for (const [index, isMatch] of events) {
        const follows = last === undefined ? undefined : neighbor(last, 'next')
        if (follows?.instant !== instant || follows.index !== index) {
          passages.push({ place: instant.place, passage: [] })
        }
        passages.at(-1)!.passage.push({ event: instant.events[index]!, isMatch })
        last = { instant, index }
      }
    }
    return passages
  }
}

function byPlace({ place: one }: Instant, { place: other }: Instant): number {
  return isBefore(one, other) ? -1 : 1
}
