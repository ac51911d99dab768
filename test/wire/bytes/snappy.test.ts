import fc from 'fast-check'
// @ts-expect-error The package has no types.
import { compress } from 'snappyjs'
import { describe, expect, it } from 'vitest'
import { decompressSnappy, SnappyError, snappyLength } from '../../../src/wire/bytes/snappy.js'
import { runToEnd } from '../../../src/wire/steps/steps.js'
import { RUNS } from '../../support/runs.js'

const block = (bytes: Uint8Array): Buffer => Buffer.from(compress(Buffer.from(bytes)))

/** Bytes with repetitions near and far, which become copies of every kind. */
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 300 })), {
    maxLength: 8,
  })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([bytes, times]) => Array<Uint8Array>(times).fill(bytes))),
  )

describe('decompressSnappy', () => {
  it('returns what another implementation compressed', () => {
    fc.assert(
      fc.property(repetitive, (bytes) => {
        expect(snappyLength(block(bytes))).toBe(bytes.length)
        expect(runToEnd(decompressSnappy(block(bytes))).equals(bytes)).toBe(true)
      }),
      { numRuns: 10 * RUNS },
    )
  })

  // The elements are from the description of the format.
  it.each([
    [
      'a literal whose length has 1 byte',
      [61, 60 << 2, 60, ...Array(61).fill(0x61)],
      'a'.repeat(61),
    ],
    ['a literal whose length has 2 bytes', [2, 61 << 2, 1, 0, 0x61, 0x62], 'ab'],
    ['a copy with 1 byte', [8, 2 << 2, 0x61, 0x62, 0x63, 1 | (1 << 2), 2], 'abcbcbcb'],
    ['a copy with 2 bytes', [4, 0, 0x61, 2 | (2 << 2), 1, 0], 'aaaa'],
    ['a copy with 4 bytes', [4, 0, 0x61, 3 | (2 << 2), 1, 0, 0, 0], 'aaaa'],
  ])('reads %s', (_, bytes, expected) => {
    expect(runToEnd(decompressSnappy(Uint8Array.from(bytes))).toString()).toBe(expected)
  })

  it.each([
    ['no length', []],
    ['an endless length', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['a length that the block is too short for', [0xff, 0xff, 0xff, 0x0f, 0, 0x61]],
    ['fewer bytes than it declares', [3, 0, 0x61]],
    ['more bytes than it declares', [1, 1 << 2, 0x61, 0x62]],
    ['a truncated literal', [4, 3 << 2, 0x61]],
    // Read as a signed integer, this length leads back to the same element, without end.
    ['a literal with the greatest length', [4, 63 << 2, 0xfa, 0xff, 0xff, 0xff, 0x61]],
    ['a copy from before the start', [4, 0, 0x61, 2 | (2 << 2), 2, 0]],
    ['a copy of nothing', [4, 0, 0x61, 2 | (2 << 2), 0, 0]],
    ['a truncated copy', [4, 0, 0x61, 3 | (2 << 2), 1, 0]],
  ])('rejects a block with %s', (_, bytes) => {
    expect(() => runToEnd(decompressSnappy(Uint8Array.from(bytes)))).toThrow(SnappyError)
  })

  it('rejects random bytes, or decompresses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          expect(runToEnd(decompressSnappy(bytes)).length).toBe(snappyLength(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(SnappyError)
        }
      }),
      { numRuns: 50 * RUNS },
    )
  })
})
