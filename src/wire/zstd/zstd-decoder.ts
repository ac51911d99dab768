import * as zlib from 'node:zlib'
import type { XXHash, XXHashAPI } from 'xxhash-wasm'
import { type FrameHeader, ZstdError } from './zstd-header.js'

/** Decompresses the blocks of one frame. */
interface FrameDecoder {
  block(bytes: Buffer, place: { readonly isLast: boolean }): Promise<readonly Buffer[]>
  /** Throws a `ZstdError` when the checksum of the frame does not match. */
  check(checksum: Buffer): Promise<void>
  close(): void
}

/** The part of Node's zstd API, new in 22.15, that is used here. */
interface NativeZstd {
  createZstdDecompress?(options: object): zlib.Gunzip
  constants: { ZSTD_d_windowLogMax?: number }
}

const native = zlib as NativeZstd
/** The maximum length of a block, compressed or not (RFC 8878, section 3.1.1.2.4). */
export const MAX_BLOCK_BYTES = 128 * 1024

/** Returns the native decoder if Node has one, otherwise the portable one. */
export function openFrame(header: FrameHeader): FrameDecoder | Promise<FrameDecoder> {
  const { createZstdDecompress, constants } = native
  if (createZstdDecompress === undefined) return portableFrame(header)
  const stream = createZstdDecompress({
    chunkSize: MAX_BLOCK_BYTES,
    // A decompressed block must fit, or the write would block.
    readableHighWaterMark: 4 * MAX_BLOCK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax!]: 31 },
  })
  return nativeFrame(stream, header)
}

function nativeFrame(stream: zlib.Gunzip, header: FrameHeader): FrameDecoder {
  let head: Buffer | undefined = header.bytes
  stream.on('error', () => {})
  async function feed(bytes: Buffer): Promise<Buffer[]> {
    await new Promise<void>((resolve, reject) => {
      stream.once('error', reject)
      stream.write(bytes, (error) => {
        stream.off('error', reject)
        if (error) reject(error)
        else resolve()
      })
    }).catch(() => {
      throw new ZstdError('corrupted')
    })
    const text: Buffer[] = []
    for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text.push(chunk)
    return text
  }
  return {
    block(bytes) {
      const fed = head === undefined ? bytes : Buffer.concat([head, bytes])
      head = undefined
      return feed(fed)
    },
    async check(checksum) {
      await feed(checksum)
    },
    close: () => stream.destroy(),
  }
}

async function portableFrame(header: FrameHeader): Promise<FrameDecoder> {
  const { Decompress } = await import('fzstd')
  const text: Buffer[] = []
  // The checksum of a frame is the lower half of the XXH64 of its content.
  const hash = header.hasChecksum ? await newXxh64() : undefined
  const decoder = new Decompress((chunk) => {
    if (chunk.length > MAX_BLOCK_BYTES) throw new ZstdError('corrupted')
    if (chunk.length > 0) text.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
  })
  const head = Buffer.from(header.bytes)
  // The decoder does not verify checksums, and fails when the header announces a checksum that it does not receive.
  head[4]! &= ~0b100
  decoder.push(head)
  return {
    async block(bytes, { isLast }) {
      try {
        decoder.push(bytes, isLast)
      } catch {
        // Corrupted data may cause any error.
        throw new ZstdError('corrupted')
      }
      const chunks = text.splice(0)
      for (const chunk of chunks) hash?.update(chunk)
      return chunks
    },
    async check(checksum) {
      const low = hash === undefined ? undefined : Number(hash.digest() & 0xffffffffn)
      if (low !== checksum.readUInt32LE()) throw new ZstdError('corrupted')
    },
    close() {},
  }
}

/** Compiled once: a body may have a checksum every 21 bytes. */
let xxhash: Promise<XXHashAPI> | undefined

async function newXxh64(): Promise<XXHash<bigint>> {
  xxhash ??= import('xxhash-wasm').then((module) => module.default())
  return (await xxhash).create64()
}
