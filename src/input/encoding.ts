import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { LINE_FEED } from '../text/bytes.js'
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
 * Returns the text in UTF-8 of an input that begins with `head`, if that is UTF-16, which programs on Windows write, or Japanese,
 * Korean or Chinese in an older encoding; otherwise `source` itself. Bytes that are no character become U+FFFD.
 */
export function decoded(head: Buffer, source: ByteSource): ByteSource {
  const encoding =
    UTF_16[head.toString('hex', 0, MARK_LENGTH)] ?? unmarkedEncoding(head) ?? asianEncoding(head)
  if (encoding === undefined) return source
  return derivedBytes(Readable.from(utf8(source, encoding), { objectMode: false }), source)
}

/** Encodings of two bytes per character, with the characters of which most of a text consists. */
const ASIAN: readonly (readonly [encoding: string, characters: RegExp, leastShare: number])[] = [
  ['shift_jis', /[\u3041-\u30ff]/g, 0.3],
  ['euc-jp', /[\u3041-\u30ff]/g, 0.3],
  ['euc-kr', /[\uac00-\ud7a3]/g, 0.9],
  ['gbk', /[\u4e00-\u9fff]/g, 0.7],
]
const FOREIGN = /[^\0-\x7f]/g
/** Half-width katakana, as which Shift-JIS reads single letters of European encodings, and characters of private use. */
const DOUBTFUL = /[\uff61-\uff9f\ue000-\uf8ff\x80-\xff]/g
/** The least number of different characters: a few words in another encoding may be valid by chance. */
const LEAST_FOREIGN = 12
/** Characters of three bytes or more in UTF-8; those of two bytes are among the bytes of GBK by chance. */
const LONG_IN_UTF_8 = /[\u0800-\ufffc]/g
/** The bytes of characters that are frequent in Chinese, in GBK: the more frequent half of GB 2312, and punctuation. */
const FREQUENT_GBK = /^[\xa1\xa3\xb0-\xd7][\xa1-\xfe]/
const LEAST_FREQUENT = 0.9

/** Returns the encoding of Japanese, Korean or Chinese text that is certainly not UTF-8; undefined for other text. */
function asianEncoding(head: Buffer): string | undefined {
  const bytes = head.subarray(0, head.lastIndexOf(LINE_FEED) + 1)
  if (isUtf8(bytes)) return undefined
  const valid = count(bytes.toString(), LONG_IN_UTF_8)
  const found = ASIAN.find(([encoding, characters, leastShare]) => {
    const text = decodedWhole(bytes, encoding)
    const all = count(text, FOREIGN)
    if (new Set(text.match(FOREIGN)).size < LEAST_FOREIGN) return false
    // Text in UTF-8 may have a few invalid bytes.
    if (valid * 4 > all || count(text, DOUBTFUL) * 10 > all) return false
    if (count(text, characters) < all * leastShare) return false
    return encoding !== 'gbk' || frequentInGbk(bytes) >= all * LEAST_FREQUENT
  })
  return found?.[0]
}

function frequentInGbk(bytes: Buffer): number {
  const characters = bytes.toString('latin1').match(/[\x80-\xff][\0-\xff]/g) ?? []
  return characters.filter((one) => FREQUENT_GBK.test(one)).length
}

/** Returns no text for bytes that are invalid in an encoding. */
function decodedWhole(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
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
