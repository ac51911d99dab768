import { ByteReader } from '../bytes/byte-reader.js'
import { MAX_BLOCK_BYTES, openFrame } from './zstd-decoder.js'
import { MAGIC, readFrameHeader, requireBytes, ZstdError } from './zstd-header.js'

interface ZstdOptions {
  /** The maximum window of a frame; frames with a larger one are rejected. */
  readonly windowBytes: number
}

/** The maximum window for HTTP (RFC 9659). */
export const HTTP_WINDOW = 8 * 1024 * 1024

/** The default maximum window of the program `zstd`. */
export const FILE_WINDOW = 128 * 1024 * 1024

/** The first bytes of a skippable frame without the lowest four bits, which are arbitrary. */
const SKIPPABLE_MAGIC = 0x0184d2a5
const RLE_BLOCK = 1
const RESERVED_BLOCK = 3

/**
 * Decompresses zstd data (RFC 8878): a sequence of frames, some of which may be skippable. Frames are split into blocks here,
 * because Node's decoder silently stops after the first frame and at truncated data, and so that only one block at a time is in
 * memory, whatever the compression ratio. Data before an error is yielded first. Throws `ZstdError`.
 */
export async function* decompressZstd(
  compressed: AsyncIterable<Buffer>,
  { windowBytes }: ZstdOptions,
): AsyncGenerator<Buffer, void> {
  const reader = new ByteReader(compressed)
  try {
    for (;;) {
      const magic = await reader.take(4)
      if (magic.length === 0) return
      if (requireBytes(magic, 4).equals(MAGIC)) yield* frame(reader, windowBytes)
      else if (magic.readUInt32LE() >>> 4 === SKIPPABLE_MAGIC) await skipFrame(reader)
      else throw new ZstdError('corrupted')
    }
  } finally {
    await reader.close()
  }
}

async function skipFrame(reader: ByteReader): Promise<void> {
  const length = requireBytes(await reader.take(4), 4).readUInt32LE()
  if ((await reader.skip(length)) < length) throw new ZstdError('truncated')
}

async function* frame(reader: ByteReader, windowBytes: number): AsyncGenerator<Buffer, void> {
  const header = await readFrameHeader(reader)
  if (header.windowBytes > windowBytes) throw new ZstdError('window')
  const decoder = await openFrame(header)
  let length = 0
  try {
    for (let isLast = false; !isLast; ) {
      const block = await readBlock(reader)
      isLast = block.isLast
      for (const chunk of await decoder.block(block.bytes, { isLast })) {
        length += chunk.length
        yield chunk
      }
    }
    if (header.contentBytes !== undefined && header.contentBytes !== length) {
      throw new ZstdError('corrupted')
    }
    if (header.hasChecksum) await decoder.check(requireBytes(await reader.take(4), 4))
  } finally {
    decoder.close()
  }
}

/** Reads a block with its header of three bytes. */
async function readBlock(reader: ByteReader) {
  const head = requireBytes(await reader.take(3), 3)
  const number = head.readUIntLE(0, 3)
  const type = (number >> 1) & 3
  const size = number >> 3
  if (type === RESERVED_BLOCK || size > MAX_BLOCK_BYTES) throw new ZstdError('corrupted')
  const length = type === RLE_BLOCK ? 1 : size
  const body = requireBytes(await reader.take(length), length)
  return { bytes: Buffer.concat([head, body]), isLast: (number & 1) === 1 }
}
