import { isUtf8 } from 'node:buffer'
import { BACKSLASH, CLOSE_BRACE, MINUS, OPEN_BRACE, QUOTE, ZERO } from '../../text/bytes.js'
import { ByteWriter } from '../bytes/byte-writer.js'

const LETTER_U = 0x75
/** The length up to which room for the worst case is reserved for a string, instead of counting its escapes. */
const SHORT = 256
const LONGEST_ESCAPE = 6
/** The length up to which a loop copies bytes faster than a call. */
const SMALL_COPY = 32
/** The size beyond which a buffer is released when it becomes empty. */
const MOST_KEPT = 8 * 1024 * 1024
const HALF = 0x1_0000_0000
const BILLION = 1_000_000_000
const MAX_INT32 = 0x7fff_ffff
/** The high half below which an unsigned 64-bit integer is exact as a number. */
const EXACT_HIGH = 0x20_0000

/** The second character of the escape of each byte; 0 for bytes without an escape, 1 for `\u00XX`. */
const ESCAPES = new Uint8Array(256).fill(1, 0, 0x20)
for (const [byte, letter] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' })) {
  ESCAPES[Number(byte)] = letter.charCodeAt(0)
}
ESCAPES[QUOTE] = QUOTE
ESCAPES[BACKSLASH] = BACKSLASH

const ESCAPED_LENGTHS = ESCAPES.map((escaped) => [1, LONGEST_ESCAPE][escaped] ?? 2)

const HEX_HIGH = new Uint8Array(256)
const HEX_LOW = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const digits = byte.toString(16).padStart(2, '0')
  HEX_HIGH[byte] = digits.charCodeAt(0)
  HEX_LOW[byte] = digits.charCodeAt(1)
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

const replacing = new TextDecoder('utf-8', { ignoreBOM: true })
const double = new Float64Array(1)
const doubleHalves = new Uint32Array(double.buffer)

/** Writes JSON as bytes into a buffer that grows. */
export class NdjsonWriter extends ByteWriter {
  private readonly room: number

  /** Begins with room for a number of bytes. */
  constructor(room: number) {
    super(room)
    this.room = room
  }

  /** Returns the bytes written so far, whose buffer the writer no longer uses. */
  take(): Buffer {
    const taken = this.written
    if (this.size < this.room / 8) {
      this.clear()
      return Buffer.from(taken)
    }
    this.bytes = Buffer.allocUnsafe(this.room)
    this.size = 0
    return taken
  }

  /** Drops the bytes written so far, and a buffer that has become large. */
  clear(): void {
    this.size = 0
    if (this.bytes.length > MOST_KEPT) this.bytes = Buffer.allocUnsafe(this.room)
  }

  byte(byte: number): void {
    this.reserve(1)
    this.bytes[this.size++] = byte
  }

  raw(source: Uint8Array): void {
    const { length } = source
    this.reserve(length)
    const { bytes, size } = this
    if (length > SMALL_COPY) bytes.set(source, size)
    else for (let i = 0; i < length; i++) bytes[size + i] = source[i]!
    this.size = size + length
  }

  /** Turns the members since `start`, each of which follows a comma, into an object. */
  endObject(start: number): void {
    // The brace replaces the first comma.
    if (this.size === start) this.byte(OPEN_BRACE)
    else this.bytes[start] = OPEN_BRACE
    this.byte(CLOSE_BRACE)
  }

  boolean(value: boolean): void {
    this.raw(value ? TRUE : FALSE)
  }

  /** Writes ASCII text as it is. */
  ascii(text: string): void {
    this.reserve(text.length)
    const { bytes, size } = this
    for (let i = 0; i < text.length; i++) bytes[size + i] = text.charCodeAt(i)
    this.size = size + text.length
  }

  /** Writes a string from UTF-8 bytes; invalid ones become U+FFFD. */
  string(source: Uint8Array, from: number, to: number): void {
    const size = to - from
    if (size <= SHORT) {
      this.reserve(2 + LONGEST_ESCAPE * size)
      const start = this.size
      const isAscii = this.quoted(source, from, to) < 0x80
      if (isAscii || isUtf8(source.subarray(from, to))) return
      this.size = start
    }
    this.longString(source.subarray(from, to))
  }

  /** Writes a string of any length; one without escapes is copied. */
  private longString(bytes: Uint8Array): void {
    const text = isUtf8(bytes) ? bytes : Buffer.from(replacing.decode(bytes))
    const length = escapedLength(text)
    this.reserve(2 + length)
    if (length > text.length) {
      this.quoted(text, 0, text.length)
      return
    }
    this.byte(QUOTE)
    this.raw(text)
    this.byte(QUOTE)
  }

  /** Writes a string, for which there must be room. Returns the bits that any of its bytes has. */
  private quoted(source: Uint8Array, from: number, to: number): number {
    const { bytes } = this
    let at = this.size
    bytes[at++] = QUOTE
    let all = 0
    for (let i = from; i < to; i++) {
      const byte = source[i]!
      all |= byte
      const escaped = ESCAPES[byte]!
      if (escaped === 0) bytes[at++] = byte
      else if (escaped === 1) {
        bytes[at] = BACKSLASH
        bytes[at + 1] = LETTER_U
        bytes[at + 2] = ZERO
        bytes[at + 3] = ZERO
        bytes[at + 4] = HEX_HIGH[byte]!
        bytes[at + 5] = HEX_LOW[byte]!
        at += 6
      } else {
        bytes[at++] = BACKSLASH
        bytes[at++] = escaped
      }
    }
    bytes[at++] = QUOTE
    this.size = at
    return all
  }

  hex(source: Uint8Array, from: number, to: number): void {
    this.reserve(2 + 2 * (to - from))
    const { bytes } = this
    let at = this.size
    bytes[at++] = QUOTE
    for (let i = from; i < to; i++) {
      const byte = source[i]!
      bytes[at++] = HEX_HIGH[byte]!
      bytes[at++] = HEX_LOW[byte]!
    }
    bytes[at++] = QUOTE
    this.size = at
  }

  base64(source: Uint8Array, from: number, to: number): void {
    this.ascii(`"${Buffer.from(source.subarray(from, to)).toString('base64')}"`)
  }

  unsigned(low: number, high: number): void {
    if (high < EXACT_HIGH) {
      this.digits(high * HALF + low)
      return
    }
    // Division by 10^9, 16 bits at a time, so that each step is exact.
    const first = (high % BILLION) * 0x1_0000 + (low >>> 16)
    const second = (first % BILLION) * 0x1_0000 + (low & 0xffff)
    this.digits(
      (Math.floor(high / BILLION) * 0x1_0000 + Math.floor(first / BILLION)) * 0x1_0000 +
        Math.floor(second / BILLION),
    )
    this.digits(second % BILLION, 9)
  }

  signed(low: number, high: number): void {
    if (high < HALF / 2) {
      this.unsigned(low, high)
      return
    }
    this.byte(MINUS)
    // The two's complement.
    this.unsigned(-low >>> 0, (~high + (low === 0 ? 1 : 0)) >>> 0)
  }

  /** Writes the double with these bits, with a fraction even when it is an integer. NaN and infinities are strings. */
  double(low: number, high: number): void {
    doubleHalves[0] = low
    doubleHalves[1] = high
    this.ascii(doubleText(double[0]!))
  }

  /** Writes a non-negative integer below 2^53 with at least `least` digits. */
  digits(value: number, least = 1): void {
    if (value > MAX_INT32) {
      const upper = Math.floor(value / BILLION)
      this.digits(upper, least - 9)
      this.int32((value - upper * BILLION) | 0, 9)
    } else this.int32(value | 0, least)
  }

  private int32(value: number, least: number): void {
    this.reserve(16)
    const { bytes, size: start } = this
    let count = 1
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) count += 1
    if (count < least) count = least
    let rest = value
    for (let at = start + count - 1; at >= start; at--) {
      const next = (rest / 10) | 0
      bytes[at] = ZERO + (rest - next * 10)
      rest = next
    }
    this.size = start + count
  }
}

function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`
  const text = Object.is(value, -0) ? '-0' : String(value)
  // Without `.0`, a field with integral and fractional values would have two types.
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}

function escapedLength(text: Uint8Array): number {
  let length = 0
  for (let i = 0; i < text.length; i++) length += ESCAPED_LENGTHS[text[i]!]!
  return length
}
