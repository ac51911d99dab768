import { describe, expect, it } from 'vitest'
import { TimeRange } from '../../../src/input/inspect/time-range.js'
import { parseEventTime } from '../../../src/wire/event/event-time.js'

describe('TimeRange', () => {
  it('spans the first to the last time, to the nanosecond', () => {
    const range = new TimeRange()
    for (const text of [
      '2026-01-31T10:00:00.000000002Z',
      '1769853600000000001',
      '2026-01-31 10:00:00.5',
    ]) {
      range.add(parseEventTime(text)!)
    }
    expect(range.range()).toEqual({
      first: '2026-01-31T10:00:00.000000001Z',
      last: '2026-01-31T10:00:00.5Z',
    })
  })

  it('is undefined without a time', () => {
    expect(new TimeRange().range()).toBeUndefined()
  })
})
