import { expect, it } from 'vitest'
import { type ActualEvent, SAMPLES } from './sample.js'
import { eventsOf } from './sample-events.js'

/** Too few lines of a slice of these have a time, a level or the same format. */
const UNDECIDED: readonly string[] = [
  'tools/apt-term',
  'tools/apt-history',
  'lang/node-stack',
  'other/two-formats',
]
const LOGS = SAMPLES.filter(({ name, isStructured }) => !isStructured && !UNDECIDED.includes(name))
/** Fewer events do not tell a layout. */
const LEAST_EVENTS = 2

it.each(LOGS)('the times and levels of $name do not depend on its first lines', async ({ log }) => {
  const lines = log.toString('utf8').split(/(?<=\n)/)
  const all = await eventsOf(log)
  for (const skipped of lines.keys()) {
    const expected = all.filter(({ line = 0 }) => line > skipped)
    if (expected.length < LEAST_EVENTS) return
    // Events without a time have that of an event that is no longer in the slice.
    const before = all.findLast(({ line = 0 }) => line <= skipped)?.fields._time
    const timed = expected.findIndex(({ fields }) => fields._time !== before)
    if (timed === -1) return
    const compared = (event: ActualEvent, index: number) => timeAndLevel(event, index >= timed)
    const events = await eventsOf(Buffer.from(lines.slice(skipped).join('')))
    const actual = events.slice(-expected.length).map(compared)
    expect(actual, `without the first ${skipped} lines`).toEqual(expected.map(compared))
  }
})

function timeAndLevel({ fields }: ActualEvent, hasTime: boolean) {
  return { _time: hasTime ? fields._time : undefined, level: fields.level }
}
