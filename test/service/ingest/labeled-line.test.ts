import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventOf, lineFields } from '../../../src/service/ingest/labeled-line.js'

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
    { numRuns: 1500 },
  )
})
