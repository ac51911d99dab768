import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventOf, lineFields } from '../../../src/service/ingest/labeled-line.js'
import { RUNS } from '../../support/runs.js'

/** Few names, so that labels, metadata and members collide, some of which need escapes. */
const name = fc.constantFrom('a', 'b', 'a_extracted', 'message', '_time', 'q"\\', 'ü', '__proto__')
const labels = fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 3 })), {
  selector: ([key]) => key,
})
const value = fc.jsonValue({ maxDepth: 2 })
const members = fc.uniqueArray(fc.tuple(name, value), {
  selector: ([key]) => key,
  minLength: 1,
})

/** Returns the JSON of an object with members in this order. */
function object(list: readonly (readonly [string, unknown])[], space: string): string {
  const texts = list.map(([key, one]) => `${JSON.stringify(key)}:${space}${JSON.stringify(one)}`)
  return `{${texts.join(`,${space}`)}${space}}${space}`
}

const fieldsOf = (list: readonly (readonly [string, string])[]) =>
  list.map(([key, text]) => ({ name: key, value: JSON.stringify(text) }))

it('an event has all labels, metadata and members of its line, each under a name that begins with its own', () => {
  fc.assert(
    fc.property(
      labels,
      labels,
      members,
      fc.constantFrom('', ' ', '\n\t'),
      fc.constantFrom('"2026-01-01T12:00:00Z"', undefined),
      (stream, metadata, list, space, time) => {
        const fields = lineFields(fieldsOf(metadata), lineFields(fieldsOf(stream)))
        const text = eventOf({ fields, time, line: object(list, space) })
        expect(text.indexOf('\n')).toBe(text.length - 1)
        const values = new Map(Object.entries(JSON.parse(text) as object))
        for (const [key, one] of [...stream, ...metadata, ...list]) {
          const same = [...values].filter(
            ([found, other]) =>
              found.replace(/(?:_extracted)+$/, '') === key.replace(/(?:_extracted)+$/, '') &&
              found.startsWith(key) &&
              JSON.stringify(other) === JSON.stringify(one),
          )
          expect(same.length, `${key} in ${text}`).toBeGreaterThan(0)
        }
        if (time !== undefined) expect(values.get('_time')).toBe(JSON.parse(time))
        for (const [key, one] of stream) {
          if (key !== '_time' && !key.endsWith('_extracted')) expect(values.get(key)).toBe(one)
        }
      },
    ),
    { numRuns: 30 * RUNS },
  )
})

// Without a bound, each of these would take minutes, while the process does nothing else.
it('thousands of labels or members with the same name do not hold up the process', () => {
  const repeated = Array.from({ length: 20_000 }, (_, i) => ({ name: 'a', value: `"${i}"` }))
  const labels = lineFields(repeated)
  expect(labels.members.startsWith('"a":"0","a_extracted":"1",')).toBe(true)
  // The store rejects an event with a name of more than 1,024 characters.
  expect(Math.max(...[...labels.names.keys()].map((one) => one.length))).toBeLessThanOrEqual(1024)
  expect(labels.members).toMatch(/"a(?:_extracted){103}":"\d+",$/)

  const line = `{${repeated.map(({ name, value }) => `"${name}":${value}`).join(',')}}`
  const event = eventOf({
    fields: lineFields([{ name: 'a', value: '"x"' }]),
    time: '"2026-01-01T12:00:00Z"',
    line,
  })
  expect(event).toMatch(/^\{.*"a":"x","a_extracted":"0",.*"a(?:_extracted){103}":"\d+"\}\n$/)
})

it('names of many dots do not hold up the process', () => {
  const { names } = lineFields([{ name: '.'.repeat(1024), value: '"x"' }])
  expect(names.size).toBeLessThanOrEqual(20)
  const long = lineFields([{ name: '.'.repeat(2 ** 22), value: '"x"' }])
  expect(long.members.length).toBeGreaterThan(2 ** 22)
  expect(long.names.size).toBe(1)
})

it('a line of more labels than an event may have keys is not read to its end', () => {
  const many = Array.from({ length: 30_000 }, (_, i) => ({ name: `k${i}`, value: '"x"' }))
  const event = JSON.parse(eventOf({ fields: lineFields(many), time: undefined, line: 'x' }))
  expect(Object.keys(event).length).toBeGreaterThan(10_000)
  expect(Object.keys(event).length).toBeLessThan(10_010)
})
