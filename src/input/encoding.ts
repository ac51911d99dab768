import { Readable } from 'node:stream'
import { type ByteSource, chunksOf, derivedBytes } from './byte-source.js'

/** The byte order marks of UTF-16, and their encodings. */
const UTF_16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }
const MARK_LENGTH = 2
/** The number of bytes that show UTF-16 without a byte order mark: four characters. */
const UNMARKED_LENGTH = 8
const LOOKED_AT = 4096

/** True when the first bytes suffice to tell the encoding. */
export function canDetectEncoding(head: Buffer): boolean {
  if (head.length < MARK_LENGTH) return head.length > 0 && head[0]! !== 0 && head[0]! < 0xfe
  return head.length >= UNMARKED_LENGTH || !head.subarray(0, MARK_LENGTH).includes(0)
}

/**
 * Returns the text in UTF-8 of an input that begins with `head`, if that is UTF-16, which programs on Windows write; otherwise
 * `source` itself. A surrogate without its other half becomes U+FFFD.
 */
export function decoded(head: Buffer, source: ByteSource): ByteSource {
  const encoding = UTF_16[head.toString('hex', 0, MARK_LENGTH)] ?? unmarkedEncoding(head)
  if (encoding === undefined) return source
  return derivedBytes(Readable.from(utf8(source, encoding), { objectMode: false }), source)
}

/** Returns the encoding of Latin letters in UTF-16, which have a zero in every other byte. */
function unmarkedEncoding(head: Buffer): string | undefined {
  const bytes = head.subarray(0, LOOKED_AT)
  if (bytes.length < UNMARKED_LENGTH || bytes[0] === bytes[1]) return undefined
  const [even, odd] = zeros(bytes)
  const half = bytes.length / 2
  if (Math.max(even, odd) <= half * 0.6 || Math.min(even, odd) >= half * 0.1) return undefined
  return even > odd ? 'utf-16be' : 'utf-16le'
}

/** Counts the zeros at even and at odd positions. */
export function zeros(bytes: Buffer): readonly [even: number, odd: number] {
  let even = 0
  let odd = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  return [even, odd]
}

async function* utf8(source: ByteSource, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunksOf(source)) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield Buffer.from(text)
  }
  const rest = decoder.decode()
  if (rest !== '') yield Buffer.from(rest)
}
