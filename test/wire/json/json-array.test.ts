import { array, assert, constantFrom, integer, jsonValue, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArrayScanner } from '../../../src/wire/json/json-array.js'
import '../../support/runs.js'

interface FoundToken {
  readonly mark: string
  readonly at: number
}

/** Returns all tokens of a text in chunks of `size` bytes. */
function marks(
  text: string,
  size = text.length || 1,
): { scanner: ArrayScanner; found: FoundToken[] } {
  const bytes = Buffer.from(text)
  const scanner = new ArrayScanner()
  const found: FoundToken[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.subarray(start, start + size)
    for (let at = scanner.next(piece, 0); at !== -1; at = scanner.next(piece, at + 1)) {
      found.push({ mark: scanner.token, at: start + at })
    }
  }
  return { scanner, found }
}

describe('ArrayScanner', () => {
  it('stops at the ends of elements', () => {
    const { scanner, found } = marks('[{"a":[1,2]}, 3,"x,]"]')
    expect(found).toEqual([
      { mark: 'open', at: 0 },
      { mark: 'comma', at: 12 },
      { mark: 'comma', at: 15 },
      { mark: 'close', at: 21 },
    ])
    expect(scanner.elements).toBe(3)
    expect(scanner.isClosed).toBe(true)
  })

  it('finds nothing in an empty array', () => {
    const { scanner, found } = marks(' [ ] ')
    expect(found.map(({ mark }) => mark)).toEqual(['open', 'close'])
    expect(scanner.elements).toBe(0)
  })

  it('distinguishes line feeds inside strings from others', () => {
    const { found } = marks('[\n"a\nb\\\nc"\n]\n')
    expect(found).toEqual([
      { mark: 'open', at: 0 },
      { mark: 'line-feed', at: 1 },
      { mark: 'line-feed-in-string', at: 4 },
      { mark: 'line-feed-in-string', at: 7 },
      { mark: 'line-feed', at: 10 },
      { mark: 'close', at: 11 },
      { mark: 'line-feed', at: 12 },
    ])
  })

  it.each([
    ['a comma without an element before it', '[,1]', 1],
    ['two commas', '[1,,2]', 3],
    ['a comma after the last element', '[1,]', 3],
    ['an array that a brace closes', '[{}}', 3],
    ['something after the array', '[1] 2', 4],
    ['a second array', '[1][2]', 3],
    ['something before the array', '1[2]', 0],
  ])('reports %s as misplaced', (_, text, at) => {
    expect(marks(text).found).toContainEqual({ mark: 'misplaced', at })
  })

  it.each([
    ['[', 0, false],
    ['[{"a":1', 0, true],
    ['[{"a":1}', 1, false],
    ['[{"a":1},', 1, false],
    ['[{"a":1},{"b":"', 1, true],
    ['[{"a":1},2', 1, true],
  ])('reports the complete elements of %s', (text, whole, isInside) => {
    const { scanner } = marks(text)
    expect(scanner.wholeElements).toBe(whole)
    expect(scanner.isInsideElement).toBe(isInside)
    expect(scanner.isClosed).toBe(false)
  })

  it('finds the same elements, whatever the chunks', () => {
    assert(
      property(
        array(jsonValue({ maxDepth: 3 }), { maxLength: 6 }),
        constantFrom(1, 2, 3, 7, 64),
        integer({ min: 0, max: 3 }),
        (elements, size, indent) => {
          const texts = elements.map((element) => JSON.stringify(element, undefined, indent))
          // Joined by hand, so that the end of each element is known without scanning.
          const ends = texts.map((_, i) => Buffer.byteLength(`[${texts.slice(0, i + 1).join(',')}`))
          const { found } = marks(`[${texts.join(',')}]`, size)
          const separators = found.filter(({ mark }) => mark === 'comma' || mark === 'close')
          expect(separators.map(({ at }) => at)).toEqual(texts.length === 0 ? [1] : ends)
          expect(found.map(({ mark }) => mark)).not.toContain('misplaced')
          expect(found.map(({ mark }) => mark)).not.toContain('line-feed-in-string')
        },
      ),
    )
  })
})
