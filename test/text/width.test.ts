import { describe, expect, it } from 'vitest'
import { graphemes, width } from '../../src/text/width.js'

describe('width', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['größe', 5],
    ['e\u0301', 1],
    ['名前', 4],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['\u{1f600}', 2],
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', 2],
    ['\u2764\ufe0f', 2],
    ['\u{1f1e9}\u{1f1ea}', 2],
    ['a\u200bb', 2],
    ['│─', 2],
    // A skin tone is part of the emoji; an emoji in text style is a letter.
    ['\u{1f44d}\u{1f3fd}', 2],
    ['1\ufe0f\u20e3', 2],
    ['\u{1f321}', 1],
    ['\u26a0', 1],
    ['\u26a0\ufe0f', 2],
    ['\u2615', 2],
    // Spacing marks take a column, marks above and below a letter none.
    ['\u0928\u093f', 2],
    ['\u0938\u094d\u0924\u0947', 2],
    ['\u{20000}', 2],
    ['\u{1f201}', 2],
    ['①…', 2],
    ['\u3000、', 4],
  ])('of %j is %i', (text, columns) => {
    expect(width(text)).toBe(columns)
  })
})

describe('text without combining characters', () => {
  it('has the same width as by graphemes', () => {
    const joined = '\u0301'
    for (let code = 0x20; code < 0xffff; code++) {
      const sign = String.fromCharCode(code)
      if (/\p{Cs}|\p{Cc}|\p{M}/u.test(sign)) continue
      // A trailing combining mark forces the slow path and does not change the width.
      expect(width(sign + joined), code.toString(16)).toBe(width(sign))
    }
  })
})

describe('graphemes', () => {
  it('are user-perceived characters', () => {
    expect(graphemes('ae\u0301\u{1f1e9}\u{1f1ea}z')).toEqual([
      'a',
      'e\u0301',
      '\u{1f1e9}\u{1f1ea}',
      'z',
    ])
  })
})
