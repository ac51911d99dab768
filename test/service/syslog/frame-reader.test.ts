import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader, FramingError } from '../../../src/service/syslog/frame-reader.js'
import { RUNS } from '../../support/runs.js'

const LIMIT = 100

/** Returns the messages in bytes that arrive in pieces; those that are truncated end in `…`. */
function messages(pieces: readonly (string | Buffer)[]): readonly string[] {
  const reader = new FrameReader(LIMIT)
  const found = pieces.flatMap((piece) => [...reader.push(Buffer.from(piece))])
  const rest = reader.end()
  return [...found, ...(rest === undefined ? [] : [rest])].map(
    ({ bytes, isTruncated }) => `${bytes}${isTruncated ? '…' : ''}`,
  )
}

const frame = (message: string) => `${Buffer.byteLength(message)} ${message}`

/** Returns the text in pieces of one byte, of two bytes, and so on. */
function divided(text: string): readonly (readonly Buffer[])[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: bytes.length }, (_, i) =>
    Array.from({ length: Math.ceil(bytes.length / (i + 1)) }, (_, n) =>
      bytes.subarray(n * (i + 1), (n + 1) * (i + 1)),
    ),
  )
}

describe('the messages of a connection', () => {
  it.each([
    ['lines', '<1>a\n<2>b\r\n\n<3>ü\n', ['<1>a', '<2>b', '<3>ü']],
    ['lines that end in NUL and a line feed', '<1>a\0\n<2>b\n', ['<1>a', '<2>b']],
    ['lines that end in NUL', '<1>a\0<2>b\0<3>c\n<4>d', ['<1>a', '<2>b', '<3>c', '<4>d']],
    [
      'a longer line that ends in NUL',
      `${'x'.repeat(LIMIT + 1)}\0b\0`,
      [`${'x'.repeat(LIMIT)}…`, 'b'],
    ],
    ['a last line without an end', '<1>a\n<2>b', ['<1>a', '<2>b']],
    ['lines of other text', 'one two \n3 three\n12\n', ['one two ', '3 three', '12']],
    ['frames', frame('<1>a\nb') + frame('<2>ü'), ['<1>a\nb', '<2>ü']],
    [
      'frames with line ends between them',
      `${frame('<1>a')}\n${frame('<2>b\n')}`,
      ['<1>a', '<2>b'],
    ],
    ['lines and frames', `<1>a\n${frame('<2>b')}<3>c\n`, ['<1>a', '<2>b', '<3>c']],
    ['a frame that is cut', '9 <1>a', ['<1>a…']],
    ['a count that is cut', '<1>a\n12', ['<1>a', '12']],
    ['a line of the limit', `${'x'.repeat(LIMIT)}\nb\n`, ['x'.repeat(LIMIT), 'b']],
    ['a longer line', `${'x'.repeat(LIMIT + 1)}\nb\n`, [`${'x'.repeat(LIMIT)}…`, 'b']],
    ['a longer line at the end', 'x'.repeat(3 * LIMIT), [`${'x'.repeat(LIMIT)}…`]],
    [
      'a longer frame',
      `${frame(`<1>${'x'.repeat(2 * LIMIT)}`)}${frame('<2>b')}`,
      [`<1>${'x'.repeat(LIMIT - 3)}…`, '<2>b'],
    ],
    [
      'a longer frame that is cut',
      `${16 * 1024 * 1024} <${'x'.repeat(LIMIT)}`,
      [`<${'x'.repeat(LIMIT - 1)}…`],
    ],
    ['a count with ten digits', '1000000000 <1>a\n<2>b\n', ['1000000000 <1>a', '<2>b']],
  ])('are %s', (_, text, expected) => {
    expect(messages([text])).toEqual(expected)
    for (const pieces of divided(text.slice(0, 400))) {
      if (text.length <= 400) expect(messages(pieces)).toEqual(expected)
    }
  })

  it.each(['16777217', '999999999'])('do not have %s bytes', (count) => {
    const reader = new FrameReader(LIMIT)
    expect(() => [...reader.push(Buffer.from(`${count} <1>a`))]).toThrow(FramingError)
  })

  it('have as many bytes as arrived, whatever these are', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('12 <', '<13>', '\n', '5 <1>a', '200 <').map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const reader = new FrameReader(LIMIT)
        let found = 0
        try {
          for (const bytes of pieces) {
            for (const message of reader.push(bytes)) {
              expect(message.bytes.length).toBeGreaterThan(0)
              expect(message.bytes.length).toBeLessThanOrEqual(LIMIT)
              found += message.bytes.length
            }
          }
          found += reader.end()?.bytes.length ?? 0
        } catch (error) {
          expect(error).toBeInstanceOf(FramingError)
        }
        expect(found).toBeLessThanOrEqual(pieces.reduce((sum, { length }) => sum + length, 0))
        expect(reader.end()).toBeUndefined()
      }),
      { numRuns: 20 * RUNS },
    )
  })
})
