import { expect, it } from 'vitest'
import { escapedBytes } from '../../../src/input/log/escaped-bytes.js'

/** True for a byte that JSON writes with a backslash. */
function isEscaped(byte: number): boolean {
  return JSON.stringify(String.fromCharCode(byte)).includes('\\')
}

/** The positions of the first such byte in each record, found one by one. */
function expected(bytes: Buffer, extents: readonly number[]): readonly number[] {
  return extents.flatMap((from, index) => {
    if (index % 2 === 1) return []
    const at = bytes.subarray(from, extents[index + 1]).findIndex(isEscaped)
    return at === -1 ? [] : [from + at]
  })
}

it('finds each byte that JSON escapes at each place of a word', () => {
  for (let byte = 0; byte < 256; byte++) {
    for (let at = 0; at < 11; at++) {
      const bytes = Buffer.alloc(11, 'x')
      bytes[at] = byte
      expect([byte, [...escapedBytes(bytes, [0, 11])]]).toEqual([byte, isEscaped(byte) ? [at] : []])
    }
  }
})

it('finds the first one of each record among all pairs of bytes, in bytes that begin anywhere', () => {
  const pairs = Buffer.from(Uint8Array.from({ length: 131_072 }, (_, at) => (at >> 1) * 31 + at))
  for (let from = 0; from < 5; from++) {
    const bytes = pairs.subarray(from, pairs.length - 2 * from)
    for (const length of [1, 7, 64]) {
      const starts = Array.from({ length: Math.floor(bytes.length / length) }, (_, i) => i * length)
      const extents = starts.flatMap((start) => [start, start + length])
      expect([...escapedBytes(bytes, extents)]).toEqual(expected(bytes, extents))
    }
  }
})

it('finds none in no bytes', () => {
  expect([...escapedBytes(Buffer.alloc(0), [])]).toEqual([])
})

it('finds only the first one in each record', () => {
  const bytes = Buffer.from('plain\na "b" "c"\n\\\t\n"x\nplain, and longer than a word')
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a)
  const extents = [0, ...ends.flatMap((at) => [at, at + 1]), bytes.length]
  expect([...escapedBytes(bytes, extents)]).toEqual([8, 16, 19])
  const moved = Buffer.concat([Buffer.from('xy'), bytes]).subarray(2)
  expect([...escapedBytes(moved, extents)]).toEqual([8, 16, 19])
})
