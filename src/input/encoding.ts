import { Readable } from 'node:stream'
import { type ByteSource, chunksOf, derivedBytes } from './byte-source.js'

/** The byte order marks of UTF-16, and their encodings. */
const UTF_16: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }
const MARK_LENGTH = 2

/** True when the first bytes suffice to tell the encoding. */
export function canDetectEncoding(head: Buffer): boolean {
  return head.length >= MARK_LENGTH || (head.length > 0 && head[0]! < 0xfe)
}

/**
 * Returns the text in UTF-8 of an input that begins with `head`, if that is a byte order mark of UTF-16, which programs on
 * Windows write; otherwise `source` itself. A surrogate without its other half becomes U+FFFD.
 */
export function decoded(head: Buffer, source: ByteSource): ByteSource {
  const encoding = UTF_16[head.toString('hex', 0, MARK_LENGTH)]
  if (encoding === undefined) return source
  return derivedBytes(Readable.from(utf8(source, encoding), { objectMode: false }), source)
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
