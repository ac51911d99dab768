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

it.each([
  ['a letter with an accent', 'e\u0301'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'],
  ['a flag', '\u{1f1e9}\u{1f1ea}'],
  ['a letter', 'z'],
])('takes a key for %s', (_, character) => {
  const press = (name: string, line = lineOf(`a${character}`)) =>
    edited(line, { kind: 'key', name })
  expect(press('Backspace')).toEqual(lineOf('a'))
  expect(press('Left')?.cursor).toBe(1)
  const start = { text: `${character}b`, cursor: 0 }
  expect(press('Right', start)?.cursor).toBe(character.length)
  expect(press('Delete', start)).toEqual({ text: 'b', cursor: 0 })
})

// Quadratic time would exceed the limit of a test by far.
it('deletes the last word of a long text', () => {
  const spaces = ' '.repeat(1_000_000)
  const word = 'a'.repeat(1_000_000)
  expect(withoutWord(spaces)).toBe(spaces)
  expect(withoutWord(`${word} b${spaces}`)).toBe(`${word} `)
  expect(withoutWord(word)).toBe('')
})
