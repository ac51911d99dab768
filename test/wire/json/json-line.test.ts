import { describe, expect, it } from 'vitest'
import { readLeaves, readLeavesInSteps } from '../../../src/wire/json/json-line.js'
import { KIND } from '../../../src/wire/json/kinds.js'

const leaves = (line: string): string[] =>
  readLeaves(line).map(({ path, form, text }) => `${path.join(' > ')} ${form} ${text}`)
const kinds = (value: string): number | undefined => readLeaves(`{"a":${value}}`)[0]?.kinds

describe('readLeaves', () => {
  it('finds every value with its path', () => {
    expect(
      leaves('{"a":1,"b":{"c":"x","d":{"e":null}},"f.g":true,"h":[1,{"i":2}],"j":{}}'),
    ).toEqual([
      'a number 1',
      'b > c string x',
      'b > d > e null null',
      'f.g bool true',
      'h array [1,{"i":2}]',
      'j empty-object {}',
    ])
  })

  it('keeps the first of repeated keys', () => {
    expect(leaves('{"a":1,"a":"x"}')).toEqual(['a number 1', 'a null null'])
    expect(leaves('{"a":{"b":1},"a":{"c":2}}')).toEqual(['a > b number 1', 'a > c null null'])
  })

  it('limits the number of keys, nested objects included and arrays excluded', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')
    expect(readLeaves(`{"in":{${keys(9_999)}}}`)).toHaveLength(9_999)
    expect(readLeaves(`{"in":[{${keys(20_000)}}]}`)).toHaveLength(1)
    expect(() => readLeaves(`{"in":{${keys(10_000)}}}`)).toThrow('more than 10,000 keys')
  })

  it('reads values of any length', () => {
    const long = '\\n'.repeat(5_000_000)
    expect(readLeaves(`{"text":"${long}"}`)[0]?.text).toHaveLength(5_000_000)
    expect(() => readLeaves(`{"text":"${long}\t"}`)).toThrow(
      'a raw tab in a string at column 10000010, which must be written `\\t`',
    )
    expect(readLeaves(`{"zeros":1.${'0'.repeat(1_000_000)}1}`)[0]?.alteration).toBe('rounded')
    expect(readLeaves(`{"list":[${'1,'.repeat(1_000_000)}1]}`)).toMatchObject([{ form: 'array' }])
  })

  it('reads long strings with all escapes', () => {
    const value = '\u0001 \b\t\n\f\r / é 漢 😀 '.repeat(10_000)
    for (const text of [value, `${value}"`, `${value}\\`, `"${value}\\"`, `${value}\\\\`]) {
      const written = JSON.stringify(text).replaceAll('/', '\\/').replaceAll('é', '\\u00E9')
      const line = `{"a":${written},"b":"\\n"}`
      expect(readLeaves(line).map((leaf) => leaf.text)).toEqual([text, '\n'])
    }
  })

  it.each([
    ['\\q', 'not JSON: a value expected, `"` found at column 6'],
    ['\\u00g0', 'not JSON: a value expected, `"` found at column 6'],
    [
      '\u0001',
      'a raw line feed or U+0001 in a string at column 100007, which must be written `\\n` or `\\u0001`',
    ],
    ['\\udc00', 'an unpaired surrogate in the string "\\n'],
  ])('reports %j in a long string', (fault, reason) => {
    const long = '\\n'.repeat(50_000)
    for (const end of ['"}', '\\""}', '\\\\"}']) {
      expect(() => readLeaves(`{"a":"${long}${fault}${long}${end}`)).toThrow(reason)
    }
    expect(() => readLeaves(`{"a":"${long}`)).toThrow(
      'not JSON: a value expected, `"` found at column 6',
    )
  })

  it('reads a long line in steps', () => {
    const steps = readLeavesInSteps(`{"list":[${'1,'.repeat(1_000_000)}1],"after":{"n":2}}`)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    expect(count).toBeGreaterThan(20)
    expect(step.value.map(({ path }) => path)).toEqual([['list'], ['after', 'n']])
  })

  it('keeps objects deeper than sixteen levels as values', () => {
    const deep = `${'{"k":'.repeat(17)}1${'}'.repeat(17)}`
    expect(readLeaves(deep).map(({ path, text }) => [path.length, text])).toEqual([[16, '{"k":1}']])
  })

  it('distinguishes integers, reals, and those that 64 bits or a double hold', () => {
    expect(kinds('5')).toBe(KIND.int)
    expect(kinds('-0')).toBe(KIND.int)
    expect(kinds('5.0')).toBe(KIND.real)
    expect(kinds('1e3')).toBe(KIND.real)
    expect(kinds('9007199254740992')).toBe(KIND.int)
    expect(kinds('9007199254740993')).toBe(KIND.int | KIND.long)
    expect(kinds('-9223372036854775808')).toBe(KIND.int | KIND.long)
    expect(kinds('9223372036854775808')).toBe(KIND.other)
    expect(kinds('18446744073709551615')).toBe(KIND.other)
  })

  it.each([
    ['[1]', 'not an object but an array'],
    ['"x"', 'not an object but a string'],
    ['null', 'not an object but null'],
    ['', 'not JSON: a value expected, the end of the line found at column 1'],
    ['{"a":1', 'not JSON: `}` expected, the end of the line found at column 7'],
    ['{"a":01}', 'not JSON: `}` expected, `1` found at column 7'],
    ['{"a":tru}', 'not JSON: a value expected, `t` found at column 6'],
    ["{'a':1}", "not JSON: a key in double quotes expected, `'` found at column 2"],
    ['{"a":"x\ty"}', 'not JSON: a raw tab in a string at column 8, which must be written `\\t`'],
    [
      '{"a\u0000":1}',
      'not JSON: a raw control character U+0000 in a string at column 4, which must be written `\\u0000`',
    ],
    [
      '{"a":"x\r',
      'not JSON: a raw carriage return in a string at column 8, which must be written `\\r`',
    ],
    ['{"a":"\\q"}', 'not JSON: a value expected, `"` found at column 6'],
    ['{"a":1} x', 'not JSON: content after the end of the event at column 9'],
    ['{"a":1,}', 'not JSON: a key in double quotes expected, `}` found at column 8'],
    ['{"a":{"":1}}', 'an empty field name'],
    [`{"${'k'.repeat(1025)}":1}`, `a field name of more than 1,024 characters: ${'k'.repeat(37)}…`],
    [
      '{"a":{"b":18446744073709551616}}',
      'a number outside 64 bits in field `a.b`: 18446744073709551616',
    ],
    [
      `${'{"k":'.repeat(500)}1e999${'}'.repeat(500)}`,
      `a number outside 64 bits in field \`${Array(16).fill('k').join('.')}\`: 1e999`,
    ],
    ['{"a":-9223372036854775809}', 'a number outside 64 bits in field `a`: -9223372036854775809'],
    ['{"a":1e999}', 'a number outside 64 bits in field `a`: 1e999'],
    ['{"a":"\\ud800"}', 'an unpaired surrogate in the string "\\ud800"'],
    [`{"a":${'['.repeat(2000)}`, 'nested deeper than 1,000 levels'],
  ])('reports why %s is not an event', (line, reason) => {
    expect(() => readLeaves(line)).toThrow(reason)
  })
})
