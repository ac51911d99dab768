import { describe, expect, it } from 'vitest'
import { exactJsonText, parseExactJson } from '../../../src/wire/json/exact-json.js'

describe('exact JSON', () => {
  it('reads an integer beyond 2^53 as a bigint, and other values as usual', () => {
    const text = `{"a":[9007199254740993,-9007199254740993,9007199254740991,1.5e300,0.12345678901234567890],
      "b":{"n":12345678901234567890},"s":"9007199254740993","e":[],"o":{},"t":true,"z":null}`
    expect(parseExactJson(text)).toEqual({
      a: [9007199254740993n, -9007199254740993n, 9007199254740991, 1.5e300, 0.12345678901234568],
      b: { n: 12345678901234567890n },
      s: '9007199254740993',
      e: [],
      o: {},
      t: true,
      z: null,
    })
    expect(parseExactJson(' 9007199254740992 ')).toBe(9007199254740992n)
  })

  it.each([
    ['-9007199254740993', '-9007199254740993'],
    ['\n9007199254740993', '9007199254740993'],
    ['["a",9007199254740993]', '["a",9007199254740993]'],
    ['[1, -9007199254740993]', '[1,-9007199254740993]'],
    ['{"a":9007199254740993}', '{"a":9007199254740993}'],
    ['{"a":\t9007199254740993}', '{"a":9007199254740993}'],
  ])('reads the long integer in %j', (text, written) => {
    expect(exactJsonText(parseExactJson(text))).toBe(written)
  })

  it('leaves long digits in strings as they are', () => {
    const ids = ['9007199254740993', 'a9007199254740993', '-9007199254740993', '[9007199254740993]']
    expect(parseExactJson(JSON.stringify(ids))).toEqual(ids)
  })

  it('reads an integer beyond the range of a double as infinite, like `JSON.parse`', () => {
    expect(parseExactJson('1'.repeat(309))).toBe(BigInt('1'.repeat(309)))
    expect(parseExactJson(`[-${'1'.repeat(310)}]`)).toEqual([-Infinity])
  })

  it('keeps the last of repeated members, and `__proto__` as a name', () => {
    const read = parseExactJson('{"a":1,"a":9007199254740993,"__proto__":9007199254740993}')
    expect(Object.entries(read as object)).toEqual([
      ['a', 9007199254740993n],
      ['__proto__', 9007199254740993n],
    ])
  })

  it.each(['', '{', '[9007199254740993', '{"a":09007199254740993}', '9007199254740993x'])(
    'rejects %j like `JSON.parse`',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError)
    },
  )

  it('writes what it read', () => {
    const text = '{"a":[9007199254740993,1,{"b":-12345678901234567890}],"s":"é\\n\\"","z":null}'
    expect(exactJsonText(parseExactJson(text))).toBe(text)
  })

  it.each([
    { a: [1, { b: [], c: {} }, 'x\n'], d: undefined, e: null },
    [],
    'text',
    null,
    [undefined],
  ])('writes %j like `JSON.stringify`', (value) => {
    expect(exactJsonText(value)).toBe(JSON.stringify(value))
    expect(exactJsonText(value, '  ')).toBe(JSON.stringify(value, undefined, 2))
  })
})
