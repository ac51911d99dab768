import type { ByteWriter } from '../wire/byte-writer.js'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LETTER_N = 0x6e
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const NULL = Buffer.from('null')

/**
 * The values of a column, one after the other, as places in its bytes: those of a JSON array. Behind
 * the last one there are nulls. A large answer has too many values to make a string of each.
 */
export class Cells {
  private readonly bytes: Buffer
  private start = 0
  private end = 0

  constructor(array: Buffer) {
    this.bytes = array
  }

  /** Goes on to the next value. */
  next(): this {
    const { bytes, end } = this
    if (bytes[end] === CLOSE_ARRAY) {
      this.start = end
      return this
    }
    let start = end + 1
    while (bytes[start] === SPACE) start++
    this.start = start
    this.end = endOf(bytes, start)
    return this
  }

  get isNull(): boolean {
    return this.end === this.start || this.bytes[this.start] === LETTER_N
  }

  /** The value's text, of ASCII alone. */
  get text(): string {
    return this.bytes.toString('latin1', this.start, this.end)
  }

  /** Writes the value as it is. */
  addTo(out: ByteWriter): void {
    if (this.isNull) out.addBytes(NULL, 0, NULL.length)
    else out.addBytes(this.bytes, this.start, this.end)
  }
}

/** Where a value ends that is an element of an array: at the comma behind it, or the array's bracket. */
function endOf(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA && depth === 0) return at
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth === 0) return at
      depth--
    }
  }
  throw new Error('the values of a column end too soon')
}

/** The place of the closing quote. */
function endOfString(bytes: Uint8Array, quote: number): number {
  let at = quote + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
