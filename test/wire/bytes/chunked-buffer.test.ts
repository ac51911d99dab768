import { describe, expect, it } from 'vitest'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'

describe('bytes in pieces', () => {
  const bytes = Buffer.from('a—b')
  // The dash is three bytes.
  const cut = new ChunkedBuffer([bytes.subarray(0, 2), Buffer.alloc(0), bytes.subarray(2)])

  it('are one text, also where a character was cut', () => {
    expect([cut.length, cut.toString()]).toEqual([5, 'a—b'])
    expect([new ChunkedBuffer([]).length, new ChunkedBuffer([]).toString()]).toEqual([0, ''])
  })

  it('are put one behind the other', () => {
    const target = new Uint8Array(7).fill(1)
    cut.copyTo(target)
    expect([...target]).toEqual([...bytes, 1, 1])
  })

  it('are made of a text, of bytes or of themselves', () => {
    expect(ChunkedBuffer.of('—').length).toBe(3)
    expect(ChunkedBuffer.of(bytes).chunks).toEqual([bytes])
    expect(ChunkedBuffer.of(cut)).toBe(cut)
  })
})
