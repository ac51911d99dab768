import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode } from '../text/system-error.js'
import { decompressZstd, FILE_ZSTD } from '../wire/zstd/zstd.js'
import { ZstdError } from '../wire/zstd/zstd-header.js'
import {
  type ByteSource,
  chunksOf,
  derivedBytes,
  Lookahead,
  withHead,
  withRead,
} from './byte-source.js'
import { InputError, inputLabel, STANDARD_INPUT } from './error.js'
import type { OpenInput } from './open.js'

/** Compression formats that are recognized but not supported, and the command that decompresses them. */
const FOREIGN: readonly (readonly [magic: string, name: string, command: string])[] = [
  ['fd377a585a00', 'xz', 'xz -dc'],
  ['425a68', 'bzip2', 'bzip2 -dc'],
  ['04224d18', 'lz4', 'lz4 -dc'],
  ['504b0304', 'zip', 'unzip -p'],
]

/** The extensions of spreadsheets, which are ZIP archives of XML. */
const SPREADSHEET = /\.(?:xls[xmb]|ods|numbers)$/i

const GZIP = /^1f8b/
/** A frame, or a skippable frame before a frame. */
const ZSTD = /^(?:28b52ffd|5.2a4d18)/
/** The length of the longest magic number. */
const MAX_MAGIC_LENGTH = 6

const TRUNCATED = 'ends in the middle of its compressed data'
const CORRUPTED = 'contains corrupted compressed data'

const GZIP_FAILURES: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: TRUNCATED,
  Z_DATA_ERROR: CORRUPTED,
}

const ZSTD_FAILURES = {
  truncated: TRUNCATED,
  corrupted: CORRUPTED,
  window: 'is compressed with zstd and needs more than 128 MiB of memory to be decompressed',
  dictionary: 'is compressed with a zstd dictionary, which is not supported',
  blocks: 'is compressed with zstd in too many blocks',
} as const satisfies Record<ZstdError['kind'], string>

/** True when the first bytes suffice to detect the compression; a pipe may deliver few bytes at a time. */
function canDetectCompression(head: Buffer): boolean {
  const hex = head.toString('hex', 0, MAX_MAGIC_LENGTH)
  if (head.length >= MAX_MAGIC_LENGTH) return true
  return head.length > 0 && !/^(?:1f|28|5.|fd|42|04)/.test(hex)
}

/** Returns the decompressed bytes of an input. Throws `InputError` for unsupported compression. */
export async function decompressed({ name, bytes }: Pick<OpenInput, 'name' | 'bytes'>) {
  const beginning = new Lookahead(bytes)
  await beginning.until(canDetectCompression)
  const hex = beginning.head.toString('hex', 0, MAX_MAGIC_LENGTH)
  const source = withHead(beginning.head, bytes)
  rejectForeign(hex, name)
  if (GZIP.test(hex)) return { bytes: decompressedGzip(source, name), isCompressed: true }
  if (ZSTD.test(hex)) return { bytes: decompressedZstd(source, name), isCompressed: true }
  return { bytes: source, isCompressed: false }
}

/** Throws an `InputError` for unsupported compression. */
function rejectForeign(hex: string, name: string): void {
  const foreign = FOREIGN.find(([magic]) => hex.startsWith(magic))
  if (foreign === undefined) return
  if (SPREADSHEET.test(name)) {
    throw new InputError(`${inputLabel(name)} is a spreadsheet. Save it as CSV first.`)
  }
  const [, compression, command] = foreign
  const file = name === STANDARD_INPUT ? 'FILE' : name
  throw new InputError(
    `${inputLabel(name)} is compressed with ${compression}, which is not supported. Decompress it first: \`${command} ${file} | evq …\`.`,
  )
}

function decompressedGzip(source: ByteSource, name: string): ByteSource {
  const compressed = Readable.from(chunksOf(source), { objectMode: false })
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  // Errors of both streams are errors of the last one.
  const text = pipeline(compressed, gunzip, () => {})
  return withDecompressionErrors(derivedBytes(text, source), name)
}

function decompressedZstd(source: ByteSource, name: string): ByteSource {
  const text = decompressZstd(chunksOf(source), FILE_ZSTD)
  const bytes = derivedBytes(Readable.from(text, { objectMode: false }), source)
  return withDecompressionErrors(bytes, name)
}

/** Reports errors of the decompressor as `InputError`. */
function withDecompressionErrors(bytes: ByteSource, name: string): ByteSource {
  return withRead(bytes, async (target) => {
    try {
      return await bytes.read(target)
    } catch (error) {
      const failure = failureOf(error)
      throw failure === undefined ? error : new InputError(`${inputLabel(name)} ${failure}.`)
    }
  })
}

function failureOf(error: unknown): string | undefined {
  if (error instanceof ZstdError) return ZSTD_FAILURES[error.kind]
  return GZIP_FAILURES[errorCode(error) ?? '']
}
