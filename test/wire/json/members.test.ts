import { describe, expect, it } from 'vitest'
import { findMember, findPath, stringEnd, visitMembers } from '../../../src/wire/json/members.js'

function value(text: string, key: string): string | undefined {
  const found = findMember(text, key)
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

it.each([
  [' { } ', []],
  ['{"a":1}', [['a', '1']]],
  [
    ' {\t"a" : "x\\"y" ,\n"b":{"c":["d"]}, "\\u0061\\/":null, "":-1.5e3, "b":[] }\n',
    [
      ['a', '"x\\"y"'],
      ['b', '{"c":["d"]}'],
      ['a/', 'null'],
      ['', '-1.5e3'],
      ['b', '[]'],
    ],
  ],
])('visits the members of %s', (text, expected) => {
  const members: string[][] = []
  visitMembers(text, (name, from, to) => void members.push([name, text.slice(from, to)]))
  expect(members).toEqual(expected)
})

it('finds a value at a path', () => {
  const text = '{"log":{"file":{"level":1},"level":"INFO"}}'
  const found = findPath(text, ['log', 'level'])
  expect(found && text.slice(found.from, found.to)).toBe('"INFO"')
  expect(findPath('{"log":"level"}', ['log', 'level'])).toBeUndefined()
})

it.each(['"', '\\', '\\"', 'x"\\'])('finds the end of a string with many times %s', (part) => {
  for (const count of [0, 1, 31, 32, 33, 100]) {
    const text = JSON.stringify(part.repeat(count))
    expect(stringEnd(`${text},"next"`, 1)).toBe(text.length)
    expect(stringEnd(text.slice(0, -1), 1)).toBe(-1)
  }
})
