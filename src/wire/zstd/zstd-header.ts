import type { ByteReader } from '../bytes/byte-reader.js'

/** Data that is not valid zstd, or exceeds the limits. */
export class ZstdError extends Error {
  override readonly name = 'ZstdError'
  /** `truncated`: the data ends too early. `window`: a frame requires too much memory. `dictionary`: a frame needs a dictionary. `blocks`: too many. */
  readonly kind: 'truncated' | 'corrupted' | 'window' | 'dictionary' | 'blocks'

  constructor(kind: ZstdError['kind']) {
    super(`zstd: ${kind}`)
    this.kind = kind
  }
}

export interface FrameHeader {
  /** The whole header, including the magic number. */
  readonly bytes: Buffer
  readonly windowBytes: number
  /** The decompressed size, if the frame declares it. */
  readonly contentBytes: number | undefined
  readonly hasChecksum: boolean
}

export const MAGIC = Buffer.from('28b52ffd', 'hex')
const DICTIONARY_BYTES = [0, 1, 2, 4] as const
const CONTENT_BYTES = [0, 2, 4, 8] as const

/** Reads the header of a frame, after its magic number (RFC 8878, section 3.1.1.1). */
export async function readFrameHeader(reader: ByteReader): Promise<FrameHeader> {
  const descriptor = requireBytes(await reader.take(1), 1)
  const flags = descriptor[0]!
  if ((flags & 0b1000) !== 0) throw new ZstdError('corrupted')
  const isSingleSegment = (flags & 0b10_0000) !== 0
  const dictionary = DICTIONARY_BYTES[flags & 3]!
  const content = flags < 0b100_0000 && isSingleSegment ? 1 : CONTENT_BYTES[flags >> 6]!
  const windowLength = isSingleSegment ? 0 : 1
  const length = windowLength + dictionary + content
  const rest = requireBytes(await reader.take(length), length)
  if (rest.subarray(windowLength, windowLength + dictionary).some((byte) => byte !== 0)) {
    throw new ZstdError('dictionary')
  }
  const contentBytes = contentSize(rest.subarray(windowLength + dictionary))
  return {
    bytes: Buffer.concat([MAGIC, descriptor, rest]),
    windowBytes: isSingleSegment ? contentBytes! : windowSize(rest[0]!),
    contentBytes,
    hasChecksum: (flags & 0b100) !== 0,
  }
}

/** Returns the bytes; throws when there are fewer than `length`. */
export function requireBytes(bytes: Buffer, length: number): Buffer {
  if (bytes.length < length) throw new ZstdError('truncated')
  return bytes
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

function contentSize(bytes: Buffer): number | undefined {
  if (bytes.length === 0) return undefined
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE())
  const size = bytes.readUIntLE(0, bytes.length)
  return bytes.length === 2 ? size + 256 : size
}
