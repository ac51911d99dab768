// Snappy's block format (https://github.com/google/snappy/blob/main/format_description.txt): the uncompressed length, then
// literals, and copies of bytes that were decompressed before.

import type { Steps } from '../steps/steps.js'

/** Data that is not valid in Snappy's block format, or is truncated. */
export class SnappyError extends Error {
  override readonly name = 'SnappyError'
}

const STEP_BYTES = 64 * 1024

/** The maximum ratio of decompressed to compressed bytes: a copy of 64 bytes, the longest one, takes at least 3 bytes. */
const MAX_RATIO = 64 / 3

/**
 * Returns the length that a block declares for its uncompressed data. Throws a `SnappyError` when the block is too short to have
 * this length, so that no memory is allocated for it.
 */
export function snappyLength(block: Uint8Array): number {
  return header(block).length
}

/** Decompresses a block. Throws a `SnappyError` when it is malformed. */
export function* decompressSnappy(block: Uint8Array): Steps<Buffer> {
  const { length, end: start } = header(block)
  let stepEnd = STEP_BYTES
  const output = Buffer.allocUnsafe(length)
  let at = start
  let size = 0
  while (at < block.length) {
    if (size >= stepEnd) {
      yield
      stepEnd = size + STEP_BYTES
    }
    const tag = block[at++]!
    const kind = tag & 3
    if (kind === 0) {
      let count = tag >>> 2
      if (count >= 60) {
        const bytes = count - 59
        count = littleEndian(block, at, bytes)
        at += bytes
      }
      count += 1
      if (at + count > block.length || size + count > length) throw malformed()
      output.set(block.subarray(at, at + count), size)
      at += count
      size += count
      continue
    }
    const bytes = kind === 3 ? 4 : kind
    const low = littleEndian(block, at, bytes)
    at += bytes
    const count = kind === 1 ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2)
    const offset = kind === 1 ? ((tag >>> 5) << 8) | low : low
    if (offset === 0 || offset > size || size + count > length) throw malformed()
    // A copy that overlaps its own output repeats it.
    if (offset >= count) output.copyWithin(size, size - offset, size - offset + count)
    else for (let i = size; i < size + count; i++) output[i] = output[i - offset]!
    size += count
  }
  if (size !== length) throw malformed()
  return output
}

/** The declared length, a varint, and the position after it. */
function header(block: Uint8Array): { readonly length: number; readonly end: number } {
  let length = 0
  for (let at = 0; at < 5; at++) {
    const byte = block[at]
    if (byte === undefined) break
    length += (byte & 0x7f) * 2 ** (7 * at)
    if (byte >= 0x80) continue
    const end = at + 1
    if (length > (block.length - end) * MAX_RATIO) break
    return { length, end }
  }
  throw malformed()
}

function littleEndian(block: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > block.length) throw malformed()
  let value = 0
  for (let i = bytes - 1; i >= 0; i--) value = value * 256 + block[at + i]!
  return value
}

function malformed(): SnappyError {
  return new SnappyError('malformed or truncated Snappy data')
}
