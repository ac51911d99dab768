import { describe, expect, it } from 'vitest'
import { graphemes, width } from '../../src/text/width.js'

describe('the width of a text', () => {
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
  ])('of %j is %i', (text, columns) => {
    expect(width(text)).toBe(columns)
  })
})

describe('graphemes', () => {
  it('are what a reader sees as one', () => {
    expect(graphemes('ae\u0301\u{1f1e9}\u{1f1ea}z')).toEqual([
      'a',
      'e\u0301',
      '\u{1f1e9}\u{1f1ea}',
      'z',
    ])
  })
})
