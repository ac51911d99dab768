import { describe, expect, it } from 'vitest'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'

describe('ChunkedBuffer', () => {
  const bytes = Buffer.from('a—b')
  // The dash is three bytes.
  const cut = new ChunkedBuffer([bytes.subarray(0, 2), Buffer.alloc(0), bytes.subarray(2)])

  it('decodes characters split between chunks', () => {
    expect([cut.length, cut.toString()]).toEqual([5, 'a—b'])
    expect([new ChunkedBuffer([]).length, new ChunkedBuffer([]).toString()]).toEqual([0, ''])
  })

  it('copies its chunks one after the other', () => {
    const target = new Uint8Array(7).fill(1)
    cut.copyTo(target)
    expect([...target]).toEqual([...bytes, 1, 1])
  })

  it('is created from a string, a buffer or itself', () => {
    expect(ChunkedBuffer.of('—').length).toBe(3)
    expect(ChunkedBuffer.of(bytes).chunks).toEqual([bytes])
    expect(ChunkedBuffer.of(cut)).toBe(cut)
  })
})
