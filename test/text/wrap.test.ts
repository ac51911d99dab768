import { describe, expect, it } from 'vitest'
import { wrapText } from '../../src/text/wrap.js'

describe('a sentence', () => {
  it('is broken between words, where it is too long', () => {
    expect(wrapText('one two three', 13)).toBe('one two three')
    expect(wrapText('one two three', 12)).toBe('one two\nthree')
    expect(wrapText('one two three', 3)).toBe('one\ntwo\nthree')
    expect(wrapText('one', 1)).toBe('one')
  })

  it('stays as it is where nobody knows the width', () => {
    expect(wrapText('one two', undefined)).toBe('one two')
    expect(wrapText('one two', 0)).toBe('one two')
  })

  it('keeps what is to be copied on a line', () => {
    expect(wrapText('say `evq token list` to see', 12)).toBe('say\n`evq token list`\nto see')
    expect(wrapText('a ` b c', 3)).toBe('a `\nb c')
  })

  it('keeps its blanks within a line', () => {
    expect(wrapText('  a  b  c', 6)).toBe('  a  b\nc')
  })

  it('is as wide as it looks', () => {
    expect(wrapText('注文 注文', 8)).toBe('注文\n注文')
    expect(wrapText('éé éé', 5)).toBe('éé éé')
  })
})
