import { expect, it } from 'vitest'
import { wrappedWords } from '../../../../src/cli/commands/view/wrap.js'

it('wraps a text between words, and divides a word that is longer than a line', () => {
  expect(wrappedWords('one two', 6)).toEqual(['one', 'two'])
  expect(wrappedWords('a abcdefgh b\u001b', 6)).toEqual(['a', 'abcdef', 'gh', 'b\\u001', 'b'])
  expect(wrappedWords('', 6)).toEqual([''])
})
