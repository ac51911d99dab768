import {
  BACKSLASH,
  BYTE_ORDER_MARK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  startsWithByteOrderMark,
} from '../../text/bytes.js'
import { OTLP_PART_BYTES } from '../limits.js'
import { OtlpError, partTooLarge, tooManyValues } from './part.js'

/** The bytes of numbers, `true`, `false` and `null`. */
const IS_WORD = new Uint8Array(256)
for (const character of '+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  IS_WORD[character.charCodeAt(0)] = 1
}

/** The maximum number of members and elements of a part: each attribute has several. */
const MAX_JSON_VALUES = 400_000

/** Reads JSON from bytes, value by value, because the tree of a large body could exhaust the memory. Throws an `OtlpError`. */
export class OtlpJsonReader {
  /** The last string read, without its escapes. */
  source: Buffer
  from = 0
  to = 0
  private readonly bytes: Buffer
  private at = 0
  private limit = OTLP_PART_BYTES
  private values = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.source = bytes
    if (startsWithByteOrderMark(bytes)) this.at = BYTE_ORDER_MARK.length
  }

  get position(): number {
    return this.at
  }

  /** Begins a part whose length is limited. */
  beginPart(): void {
    this.limit = this.at + OTLP_PART_BYTES
    this.values = 0
  }

  /** Returns the first byte of the next value, which decides its type; -1 at the end. */
  peek(): number {
    const { bytes } = this
    for (;;) {
      if (this.at > this.limit) throw partTooLarge()
      const byte = bytes[this.at]
      if (byte === undefined) return -1
      if (!isSpace(byte)) return byte
      this.at += 1
    }
  }

  get isString(): boolean {
    return this.peek() === QUOTE
  }

  /** Begins an object and reads its first key like `string`; false when the object is empty. */
  enterObject(): boolean {
    this.expect(OPEN_BRACE, 'an object')
    if (this.accept(CLOSE_BRACE)) return false
    this.key()
    return true
  }

  /** Reads the next key, after the value of a member, like `string`; false at the end of the object. */
  nextMember(): boolean {
    if (this.accept(COMMA)) {
      this.count()
      this.key()
      return true
    }
    this.expect(CLOSE_BRACE, 'a comma or the end of an object')
    return false
  }

  /** Begins an array; false when it is empty. */
  enterArray(): boolean {
    this.expect(OPEN_BRACKET, 'an array')
    return !this.accept(CLOSE_BRACKET)
  }

  /** Advances to the next element; false at the end of the array. */
  nextElement(): boolean {
    if (this.accept(COMMA)) {
      this.count()
      return true
    }
    this.expect(CLOSE_BRACKET, 'a comma or the end of an array')
    return false
  }

  /** Reads a string: UTF-8 in `source`, from `from` up to `to`. */
  string(): void {
    this.expect(QUOTE, 'a string')
    const { bytes } = this
    const start = this.at
    const last = Math.min(bytes.length, this.limit)
    let hasEscapes = false
    for (let at = start; at < last; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.at = at + 1
        this.source = hasEscapes ? unescaped(bytes.subarray(start, at)) : bytes
        this.from = hasEscapes ? 0 : start
        this.to = hasEscapes ? this.source.length : at
        return
      }
      if (byte < 0x20) throw this.unexpected('the end of a string')
      if (byte === BACKSLASH) {
        hasEscapes = true
        at += 1
      }
    }
    throw last < bytes.length ? partTooLarge() : this.unexpected('the end of a string')
  }

  ascii(): string {
    this.string()
    return this.source.toString('latin1', this.from, this.to)
  }

  /** Reads a number, `true`, `false` or `null` as text. */
  word(): string {
    this.peek()
    const start = this.at
    this.skipWord()
    return this.bytes.toString('latin1', start, this.at)
  }

  /** Skips a value of any type, without recursion. */
  skip(): void {
    let depth = 0
    do {
      const byte = this.peek()
      const isSeparator = byte === COMMA || byte === COLON
      if (byte === QUOTE) {
        this.string()
        continue
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1
      else if (!isSeparator) {
        this.skipWord()
        continue
      }
      if (depth < 0 || (depth === 0 && isSeparator)) throw this.unexpected('a value')
      this.at += 1
    } while (depth > 0)
  }

  private count(): void {
    this.values += 1
    if (this.values > MAX_JSON_VALUES) throw tooManyValues(MAX_JSON_VALUES)
  }

  private key(): void {
    this.string()
    this.expect(COLON, 'a colon')
  }

  private skipWord(): void {
    const { bytes } = this
    const start = this.at
    while (this.at <= this.limit && IS_WORD[bytes[this.at] ?? 0] === 1) this.at += 1
    if (this.at === start) throw this.unexpected('a value')
  }

  private expect(byte: number, what: string): void {
    if (!this.accept(byte)) throw this.unexpected(what)
  }

  private accept(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.at += 1
    return true
  }

  private unexpected(what: string): OtlpError {
    return new OtlpError(`not JSON: ${what} expected at byte ${this.at}`)
  }
}

function unescaped(written: Buffer): Buffer {
  try {
    return Buffer.from(JSON.parse(`"${written.toString()}"`))
  } catch {
    throw new OtlpError('not JSON: a string has an invalid escape')
  }
}
