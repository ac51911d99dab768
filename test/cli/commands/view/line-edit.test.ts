import { expect, it } from 'vitest'
import { edited, lineOf } from '../../../../src/cli/commands/view/line-edit.js'

const withoutWord = (text: string) => edited(lineOf(text), { kind: 'key', name: 'Ctrl-W' })?.text

it.each([
  ['', ''],
  ['  ', '  '],
  ['one', ''],
  ['one two', 'one '],
  ['one two  ', 'one '],
  [' one', ' '],
])('deletes the last word and the spaces after it: %j', (text, kept) => {
  expect(withoutWord(text)).toBe(kept)
})

// Quadratic time would exceed the limit of a test by far.
it('deletes the last word of a long text', () => {
  const spaces = ' '.repeat(1_000_000)
  const word = 'a'.repeat(1_000_000)
  expect(withoutWord(spaces)).toBe(spaces)
  expect(withoutWord(`${word} b${spaces}`)).toBe(`${word} `)
  expect(withoutWord(word)).toBe('')
})
