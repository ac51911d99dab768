import { expect, it } from 'vitest'
import { mappingRewriter, objectMapping } from '../../../src/input/mapping/detect-mapping.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'
import { rewrittenText } from './rewritten-text.js'

/** 2026-11-20T10:00:00Z. */
const NOW = 1_795_168_800_000_000_000n

function timesOf(dates: readonly string[], name = 'date'): readonly unknown[] {
  const events = dates.map((date) => JSON.stringify({ [name]: date, total: 5 }))
  const mapping = objectMapping(objectsIn(events), { now: NOW })
  const rewrite = mappingRewriter(mapping, { times: {} })
  return events.map((event) => JSON.parse(rewrittenText(event, rewrite))._time)
}

it.each([
  ['31/10/2026', '05/11/2026'],
  ['10/31/2026', '11/05/2026'],
  ['31.10.2026', '5.11.2026'],
  ['2026/10/31', '2026/11/05'],
  ['31-Oct-2026', '05-Nov-2026'],
  ['31 Oct 2026', '5 Nov 2026'],
  ['Oct 31, 2026', 'Nov 5, 2026'],
  ['Saturday, October 31, 2026', 'Thursday, November 5, 2026'],
])('reads dates such as %s as the beginning of the day', (...dates) => {
  expect(timesOf(dates)).toEqual(['2026-10-31T00:00:00Z', '2026-11-05T00:00:00Z'])
})

it('reads a date that is missing in an event as no time', () => {
  const dates = ['31/10/2026', ...Array<string>(20).fill('05/11/2026'), '']
  expect(timesOf(dates).at(-1)).toBeUndefined()
  expect(timesOf(dates)[0]).toBe('2026-10-31T00:00:00Z')
})

it('prefers a field with a clock to a field with a date', () => {
  const events = ['01', '02'].map((second) =>
    JSON.stringify({ date: `${second}/31/2026`, updated: `Nov 5 2026 10:00:${second}` }),
  )
  const mapping = objectMapping(objectsIn(events), { now: NOW })
  expect(mapping.timestampField).toBe('updated')
})

it.each([
  ['that may be of either order', ['05/10/2026', '03/10/2026']],
  ['that all events share', ['31/10/2026', '31/10/2026']],
  ['of the future', ['31/12/2026', '30/12/2026']],
  ['before 1990', ['31/12/1985', '30/12/1985']],
])('reads no dates %s', (_, dates) => {
  expect(timesOf(dates)).toEqual([undefined, undefined])
})

it('reads no dates in a field of another name', () => {
  expect(timesOf(['31/10/2026', '05/11/2026'], 'due')).toEqual([undefined, undefined])
})
