import type { ActualEvent, Sample } from './sample.js'
import { eventsOf } from './sample-events.js'

/** The numbers of events of each program that follow each other in a mixed log. */
const RUNS_OF_EVENTS = [3, 2, 1, 1, 2, 4, 1, 3]

/** The parts of an event that must be read alike: the text, the time and the level. */
interface Shown {
  readonly text: string | undefined
  readonly _time: unknown
  readonly level: unknown
}

/** An event as it is read from a log of its own. */
interface Alone {
  readonly text: string
  readonly fields: Shown
}

/** A log of two programs, and its events by the number of their first line. */
interface Mix {
  readonly log: Buffer
  readonly events: ReadonlyMap<number, Shown>
}

/** Returns the events of a sample as they are read without another program. */
export async function alone({ log }: Sample): Promise<readonly Alone[]> {
  const events = await eventsOf(log)
  return events.flatMap((event) => {
    const { text } = event
    return text === undefined ? [] : [{ text: text.replace(/\r?\n?$/, '\n'), fields: shown(event) }]
  })
}

/** Mixes the events of two programs, `first` first. */
export function mixed(first: readonly Alone[], second: readonly Alone[]): Mix {
  const rest = [[...first], [...second]]
  const texts: string[] = []
  const events = new Map<number, Shown>()
  let line = 1
  for (let at = 0; rest.some((list) => list.length > 0); at++) {
    const count = RUNS_OF_EVENTS[at % RUNS_OF_EVENTS.length]!
    for (const { text, fields } of rest[at % 2]!.splice(0, count)) {
      events.set(line, fields)
      texts.push(text)
      line += text.split('\n').length - 1
    }
  }
  return { log: Buffer.from(texts.join('')), events }
}

/** Returns the events of a log in the form of `mixed`. */
export async function readMix(log: Buffer): Promise<ReadonlyMap<number, Shown>> {
  const events = await eventsOf(log)
  return new Map(events.map((event) => [event.line ?? 0, shown(event)]))
}

function shown({ fields, text }: ActualEvent): Shown {
  const { _time, level } = fields
  return { text: text?.replace(/\r?\n?$/, '\n'), _time, level }
}
