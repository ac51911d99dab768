import { ByteReader } from '../bytes/byte-reader.js'
import { Turn } from '../steps/steps.js'
import { MAX_BLOCK_BYTES, openFrame } from './zstd-decoder.js'
import { MAGIC, readFrameHeader, requireBytes, ZstdError } from './zstd-header.js'

interface ZstdOptions {
  /** The maximum window of a frame; frames with a larger one are rejected. */
  readonly windowBytes: number
  /** The maximum sum of windows: for each block, the portable decoder moves the whole window, and a frame takes longer. */
  readonly movedBytes: number
}

/** The limits for HTTP: the maximum window of RFC 9659, and seconds of work. */
export const HTTP_ZSTD: ZstdOptions = { windowBytes: 8 * 1024 * 1024, movedBytes: 2 ** 35 }

/** The limits for files: the default maximum window of the program `zstd`. */
export const FILE_ZSTD: ZstdOptions = {
  windowBytes: 128 * 1024 * 1024,
  movedBytes: Number.POSITIVE_INFINITY,
}

/** The time for a frame with a new window, in blocks. */
const FRAME_COST = 15

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
  { windowBytes, movedBytes }: ZstdOptions,
): AsyncGenerator<Buffer, void> {
  const reader = new ByteReader(compressed)
  const work: Work = { leftBytes: movedBytes, turn: new Turn() }
  try {
    for (;;) {
      const magic = await reader.take(4)
      if (magic.length === 0) return
      if (requireBytes(magic, 4).equals(MAGIC)) yield* frame(reader, windowBytes, work)
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

/** The work that is left for a body, which may be a handful of bytes for each frame and block. */
interface Work {
  leftBytes: number
  readonly turn: Turn
}

async function* frame(
  reader: ByteReader,
  windowBytes: number,
  work: Work,
): AsyncGenerator<Buffer, void> {
  const header = await readFrameHeader(reader)
  if (header.windowBytes > windowBytes) throw new ZstdError('window')
  const moved = Math.max(header.windowBytes, MAX_BLOCK_BYTES)
  work.leftBytes -= FRAME_COST * moved
  const decoder = await openFrame(header)
  let length = 0
  try {
    for (let isLast = false; !isLast; ) {
      const block = await readBlock(reader)
      isLast = block.isLast
      work.leftBytes -= moved
      if (work.leftBytes < 0) throw new ZstdError('blocks')
      if (work.turn.isOver) await work.turn.next()
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
