import { describe, expect, it } from 'vitest'
import { comparable, complete, expectedOf, SAMPLES } from './sample.js'
import { eventsOf } from './sample-events.js'

const READ = SAMPLES.filter(({ isStructured }) => !isStructured)

describe('a sample', () => {
  it.each(READ)('of $name is read as its program means it', async (sample) => {
    const events = await eventsOf(sample.log)
    const expected = expectedOf(sample, events.length)
    const actual = events.map((event, index) =>
      comparable(event, expected[index] ?? { $lines: 0, ...event.fields }),
    )
    expect(actual).toEqual(expected.map(complete))
  })
})
