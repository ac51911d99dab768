import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { FingerprintedBytes } from '../../src/input/fingerprint.js'
import { inPieces } from './support.js'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

it('is of the first 64 KiB of an input, and compares a prefix that was not read yet', async () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))
  const source = () => new FingerprintedBytes(inPieces(content, 3_000))
  const read = source()
  const target = Buffer.alloc(100_000)
  for (let bytes = 0; bytes < content.length; ) bytes += await read.read(target)
  const first = content.subarray(0, 64 * 1024)
  expect(read.fingerprint()).toEqual({ length: 65_536, sha256: sha256(first) })
  const unread = source()
  const prefix = { length: 5_000, sha256: sha256(content.subarray(0, 5_000)) }
  expect(await unread.hasPrefix(prefix)).toBe(true)
  expect(await unread.hasPrefix({ ...prefix, length: 4_999 })).toBe(false)
  const returned: Buffer[] = []
  for (let bytes = 0; bytes < content.length; ) {
    const length = await unread.read(target)
    returned.push(Buffer.from(target.subarray(0, length)))
    bytes += length
  }
  expect(Buffer.concat(returned).equals(content)).toBe(true)
})

it('differs from a fingerprint of impossible length, as in a damaged checkpoint', async () => {
  const source = new FingerprintedBytes(inPieces(Buffer.from('event\n'), 6))
  expect(await source.hasPrefix({ length: 2 ** 50, sha256: '' })).toBe(false)
})
