import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spaceEnd, stringEnd, valueEnd } from '../../../src/wire/json/json-bytes.js'
import { JsonReader } from '../../../src/wire/json/json-text.js'
import '../../support/runs.js'

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })

describe('the bytes of JSON', () => {
  it('have a value between two separators', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), blanks, (values, blank) => {
        const text = `[${values.map((value) => blank + JSON.stringify(value, null, 1)).join(',')}]`
        const bytes = Buffer.from(text)
        const found: unknown[] = []
        let at = 0
        do {
          const from = spaceEnd(bytes, at + 1)
          at = valueEnd(bytes, from)
          found.push(JSON.parse(bytes.toString('utf8', from, at)))
        } while (bytes[at] === 0x2c)
        expect(found).toEqual(JSON.parse(text))
        expect(at).toBe(bytes.length - 1)
      }),
    )
  })

  it('have the end of a string after its closing quote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (value, after) => {
        const string = Buffer.from(JSON.stringify(value))
        expect(stringEnd(Buffer.concat([string, Buffer.from(after)]), 0)).toBe(string.length)
      }),
    )
  })

  it.each(['"', '"a', '"\\', '"\\"', '"a\\\\\\"'])('have no end of a string in %j', (text) => {
    expect(stringEnd(Buffer.from(text), 0)).toBe(-1)
  })

  it.each(['', '1', '"a"', '[1', '{"a":[1]', '["]"'])('have no end of a value in %j', (text) => {
    expect(valueEnd(Buffer.from(text), 0)).toBe(-1)
  })

  it.each([
    ['', 0],
    ['x', 0],
    [' \t\r\nx', 4],
    ['  ', 2],
    ['\u00a0', 0],
    ['\u0000', 0],
  ])('have white space as JSON defines it: %j', (text, end) => {
    expect(spaceEnd(Buffer.from(text), 0)).toBe(end)
  })
})

describe('JsonReader', () => {
  it('returns each value as written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.jsonValue())), (value) => {
        const reader = new JsonReader(JSON.stringify(value, null, 2))
        const found: [string, unknown][] = []
        for (const key of reader.members()) {
          const elements: unknown[] = []
          reader.array(() => elements.push(JSON.parse(reader.raw())))
          found.push([key, elements])
        }
        reader.end()
        expect(Object.fromEntries(found)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
