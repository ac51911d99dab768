import { expect, it } from 'vitest'
import { stringEnd, visitMembers } from '../../../src/wire/json/members.js'

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

it.each(['"', '\\', '\\"', 'x"\\'])('finds the end of a string with many times %s', (part) => {
  for (const count of [0, 1, 31, 32, 33, 100]) {
    const text = JSON.stringify(part.repeat(count))
    expect(stringEnd(`${text},"next"`, 1)).toBe(text.length)
    expect(stringEnd(text.slice(0, -1), 1)).toBe(-1)
  }
})
