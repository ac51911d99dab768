import { describe, expect, it } from 'vitest'
import { Xxh64 } from '../../src/wire/xxh64.js'

// The first from the specification of xxHash, the others from its implementation for Python.
const KNOWN: readonly (readonly [text: string, hash: bigint])[] = [
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['abc', 0x44bc2cf5ad770999n],
  ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
]

describe('XXH64', () => {
  it.each(KNOWN)('of %j', (text, hash) => {
    for (const size of [1, 7, 32, 100]) {
      const xxh64 = new Xxh64()
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) xxh64.update(bytes.subarray(at, at + size))
      expect(xxh64.digest()).toBe(hash)
    }
  })
})
