import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findMember,
  findPath,
  spaceEnd,
  stringEnd,
  valueEnd,
  whole,
} from '../../../src/wire/json/json-bytes.js'
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

function value(text: string, key: string): string | undefined {
  const bytes = Buffer.from(text)
  const found = findMember(bytes, key, whole(bytes))
  return found && text.slice(found.from, found.to)
}

describe('findMember', () => {
  it.each([
    ['{"a":1,"level":30}', '30'],
    [' { "level" : "x\\"y" , "b":2}', '"x\\"y"'],
    ['{"a":"\\\\","level":[1,{"b":"]}"}] }', '[1,{"b":"]}"}]'],
    ['{"a":{"level":1},"b":["level"],"level":2,"level":3}', '2'],
    ['{"a":"level\\":1","level":-1.5e3}', '-1.5e3'],
  ])('finds the first member of the object itself in %s', (text, expected) => {
    expect(value(text, 'level')).toBe(expected)
  })

  it.each([
    ...['', '[]', '{}', '{"a":1}', '{"levels":1}', '{"a":{"level":1}}', '{"level"', '{"level":'],
    ...['{"level":"x', '{"level":}', '{"a":[1,"level":2', '{a:1,"level":2}', '{"a" 1,"level":2}'],
  ])('finds none in %s', (text) => {
    expect(value(text, 'level')).toBeUndefined()
  })
})

it('finds a value at a path', () => {
  const bytes = Buffer.from('{"log":{"file":{"level":1},"level":"INFO" } }')
  const found = findPath(bytes, ['log', 'level'], whole(bytes))
  expect(bytes.toString('utf8', found?.from, found?.to)).toBe('"INFO"')
  const flat = Buffer.from('{"log":"level"}')
  expect(findPath(flat, ['log', 'level'], whole(flat))).toBeUndefined()
})
