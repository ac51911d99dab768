import { describe, expect, it } from 'vitest'
import { wrapped } from '../../src/text/wrap.js'

describe('a sentence', () => {
  it('is broken between words, where it is too long', () => {
    expect(wrapped('one two three', 13)).toBe('one two three')
    expect(wrapped('one two three', 12)).toBe('one two\nthree')
    expect(wrapped('one two three', 3)).toBe('one\ntwo\nthree')
    expect(wrapped('one', 1)).toBe('one')
  })

  it('stays as it is where nobody knows the width', () => {
    expect(wrapped('one two', undefined)).toBe('one two')
    expect(wrapped('one two', 0)).toBe('one two')
  })

  it('keeps what is to be copied on a line', () => {
    expect(wrapped('say `evq token list` to see', 12)).toBe('say\n`evq token list`\nto see')
    expect(wrapped('a ` b c', 3)).toBe('a `\nb c')
  })

  it('keeps its blanks within a line', () => {
    expect(wrapped('  a  b  c', 6)).toBe('  a  b\nc')
  })

  it('is as wide as it looks', () => {
    expect(wrapped('注文 注文', 8)).toBe('注文\n注文')
    expect(wrapped('éé éé', 5)).toBe('éé éé')
  })
})
