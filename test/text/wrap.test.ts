import { describe, expect, it } from 'vitest'
import { wrapText } from '../../src/text/wrap.js'

describe('wrapText', () => {
  it('breaks a long sentence between words', () => {
    expect(wrapText('one two three', 13)).toBe('one two three')
    expect(wrapText('one two three', 12)).toBe('one two\nthree')
    expect(wrapText('one two three', 3)).toBe('one\ntwo\nthree')
    expect(wrapText('one', 1)).toBe('one')
  })

  it('returns text unchanged without a width', () => {
    expect(wrapText('one two', undefined)).toBe('one two')
    expect(wrapText('one two', 0)).toBe('one two')
  })

  it('does not break text in backticks', () => {
    expect(wrapText('say `evq token list` to see', 12)).toBe('say\n`evq token list`\nto see')
    expect(wrapText('a ` b c', 3)).toBe('a `\nb c')
  })

  it('keeps multiple blanks within a line', () => {
    expect(wrapText('a  b  c', 4)).toBe('a  b\nc')
  })

  it('indents all lines as the first', () => {
    expect(wrapText('  a  b  c', 6)).toBe('  a  b\n  c')
  })

  it('measures the width in terminal columns', () => {
    expect(wrapText('注文 注文', 8)).toBe('注文\n注文')
    expect(wrapText('éé éé', 5)).toBe('éé éé')
  })
})
