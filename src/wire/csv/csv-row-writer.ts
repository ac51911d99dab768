import { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, SPACE } from '../../text/bytes.js'
import type { ByteWriter } from '../bytes/byte-writer.js'
import { isBareCell } from './csv-cell.js'

/** The longest escape of a byte in JSON: `\u0001`. */
const MAX_ESCAPE_LENGTH = 6
/** The JSON escapes of control characters, quotes and backslashes. */
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
 * Converts ordinary CSV rows to JSON, from bytes to bytes: on one line, with no more cells than fields, and with quotes
 * around whole cells only.
 */
export class CsvRowWriter {
  private readonly delimiter: number
  private readonly keys: readonly Buffer[]
  /** Room for all names; in addition to its name and value, a member has a comma and two quotes. */
  private readonly keyBytes: number

  constructor({ delimiter, keys }: CsvRowWriterOptions) {
    this.delimiter = delimiter
    this.keys = keys
    this.keyBytes = keys.reduce((sum, key) => sum + key.length + 3, 2)
  }

  /**
   * Writes the row between two positions, without its line end. Returns false, with nothing written, when the row is
   * not ordinary.
   */
  write(into: ByteWriter, bytes: Buffer, start: number, end: number): boolean {
    into.reserve(this.keyBytes + (end - start) * MAX_ESCAPE_LENGTH)
    const out = into.bytes
    let size = into.size
    out[size++] = OPEN_BRACE
    let at = start
    for (const key of this.keys) {
      const isQuoted = at < end && bytes[at] === QUOTE
      const from = isQuoted ? at + 1 : at
      const close = isQuoted ? closingQuote(bytes, from, end) : this.cellEnd(bytes, from, end)
      const next = isQuoted ? close + 1 : close
      if (close === -1 || (next < end && bytes[next] !== this.delimiter)) return false
      if (isQuoted || close > from) {
        if (out[size - 1] !== OPEN_BRACE) out[size++] = COMMA
        size = copied(key, 0, key.length, out, size)
        size = isBareCell(bytes, from, close)
          ? copied(bytes, from, close, out, size)
          : quoted(bytes, from, close, out, size)
      }
      if (next >= end) {
        out[size++] = CLOSE_BRACE
        into.size = size
        return true
      }
      at = next + 1
    }
    return false
  }

  /** Returns the end of an unquoted cell; -1 when it contains a quote. */
  private cellEnd(bytes: Buffer, from: number, end: number): number {
    const delimiter = this.delimiter
    for (let at = from; at < end; at++) {
      const byte = bytes[at]
      if (byte === delimiter) return at
      if (byte === QUOTE) return -1
    }
    return end
  }
}

// Called for every cell, so these take positional parameters and allocate nothing.

/** Returns the position of the quote that closes a cell, or -1. Two quotes represent one. */
function closingQuote(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== QUOTE) continue
    if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at
    at += 1
  }
  return -1
}

/** Copies bytes and returns the end of the copy; short runs are copied faster by a loop. */
function copied(bytes: Buffer, start: number, end: number, out: Buffer, size: number): number {
  if (end - start > 64) return size + bytes.copy(out, size, start, end)
  let to = size
  for (let at = start; at < end; at++) out[to++] = bytes[at]!
  return to
}

/** Copies a cell as a JSON string. */
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
