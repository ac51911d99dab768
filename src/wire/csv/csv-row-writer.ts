import type { ByteWriter } from '../bytes/byte-writer.js'
import { isBareCell } from './csv-cell.js'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const SPACE = 0x20
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** The longest that a byte becomes in JSON: `\u0001`. */
const LONGEST_ESCAPE = 6
/** What JSON writes for the first bytes, and for the two signs of its own. */
const ESCAPES: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : undefined,
)

interface CsvRowWriterOptions {
  /** A single byte. */
  readonly delimiter: number
  /** `"name":` for each field. */
  readonly keys: readonly Buffer[]
}

/**
 * Writes the rows of CSV that are as nearly all are, straight from bytes to bytes: on one line, with no
 * more cells than there are fields, and quotes around whole cells only.
 */
export class CsvRowWriter {
  readonly #delimiter: number
  readonly #keys: readonly Buffer[]
  /** Room for all names; beside its name and value, a member has a comma and two quotes. */
  readonly #keyBytes: number

  constructor({ delimiter, keys }: CsvRowWriterOptions) {
    this.#delimiter = delimiter
    this.#keys = keys
    this.#keyBytes = keys.reduce((sum, key) => sum + key.length + 3, 2)
  }

  /** Writes the row between two positions, without its line end; false, and nothing is written, when it is a rarer one. */
  write(into: ByteWriter, bytes: Buffer, start: number, end: number): boolean {
    into.reserve(this.#keyBytes + (end - start) * LONGEST_ESCAPE)
    const out = into.bytes
    let size = into.size
    out[size++] = OPENING_BRACE
    let at = start
    for (const key of this.#keys) {
      const isQuoted = at < end && bytes[at] === QUOTE
      const from = isQuoted ? at + 1 : at
      const close = isQuoted ? closingQuote(bytes, from, end) : this.#cellEnd(bytes, from, end)
      const next = isQuoted ? close + 1 : close
      if (close === -1 || (next < end && bytes[next] !== this.#delimiter)) return false
      if (isQuoted || close > from) {
        if (out[size - 1] !== OPENING_BRACE) out[size++] = COMMA
        size = copied(key, 0, key.length, out, size)
        size = isBareCell(bytes, from, close)
          ? copied(bytes, from, close, out, size)
          : quoted(bytes, from, close, out, size)
      }
      if (next >= end) {
        out[size++] = CLOSING_BRACE
        into.size = size
        return true
      }
      at = next + 1
    }
    return false
  }

  /** Where a cell without quotes ends; -1 when there is a quote in it. */
  #cellEnd(bytes: Buffer, from: number, end: number): number {
    const delimiter = this.#delimiter
    for (let at = from; at < end; at++) {
      const byte = bytes[at]
      if (byte === delimiter) return at
      if (byte === QUOTE) return -1
    }
    return end
  }
}

// These run for every cell there is: they take what they need one by one and make nothing.

/** Where the quote is that closes a cell; -1 when it is not there. Two quotes stand for one. */
function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== QUOTE) continue
    if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at
    at += 1
  }
  return -1
}

/** Copies bytes and returns where they end; what is short is quicker copied by hand. */
function copied(bytes: Buffer, start: number, end: number, out: Buffer, size: number): number {
  if (end - start > 64) return size + bytes.copy(out, size, start, end)
  let to = size
  for (let at = start; at < end; at++) out[to++] = bytes[at]!
  return to
}

/** Copies the text of a cell as a JSON string. */
function quoted(bytes: Buffer, start: number, end: number, out: Buffer, size: number): number {
  let to = size
  out[to++] = QUOTE
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) {
      out[to++] = byte
      continue
    }
    const sign = ESCAPES[byte]!
    to = copied(sign, 0, sign.length, out, to)
    if (byte === QUOTE) at += 1
  }
  out[to++] = QUOTE
  return to
}
