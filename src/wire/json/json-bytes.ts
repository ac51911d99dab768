// Finds the ends of values in the bytes of JSON that is valid or is validated elsewhere: only quotes, brackets and commas are
// examined. `ValueScanner` does the same for JSON that arrives in chunks; the reader of events, `json-line.ts`, checks every byte.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from '../../text/bytes.js'

const NONE = -1

// The classes of bytes outside strings. The bundler inlines the numbers.
export const BLANK = 1
export const LINE_END = 2
export const STRING = 3
export const OPEN = 4
export const CLOSE = 5
export const SEPARATOR = 6

/** A byte that is invalid in JSON. It replaces a raw line feed in a string, which must not become valid. */
export const NOT_JSON = 0x01

/** Returns the class of each byte outside strings; most bytes have class 0. A table is twice as fast as comparisons. */
export function byteClasses(): Uint8Array {
  const classes = new Uint8Array(256)
  for (const byte of Buffer.from(' \t\r')) classes[byte] = BLANK
  for (const byte of Buffer.from('[{')) classes[byte] = OPEN
  for (const byte of Buffer.from(']}')) classes[byte] = CLOSE
  classes[QUOTE] = STRING
  classes[COMMA] = SEPARATOR
  classes[LINE_FEED] = LINE_END
  return classes
}

export function spaceEnd(bytes: Uint8Array, from: number): number {
  let at = from
  // Nearly always there is no white space, or one space.
  while (bytes[at]! <= SPACE && isSpace(bytes[at]!)) at++
  return at
}

/** Returns the position after the string whose opening quote is at `from`; -1 when it has no end. */
export function stringEnd(bytes: Uint8Array, from: number): number {
  const quote = closingQuote(bytes, from)
  return quote < bytes.length ? quote + 1 : NONE
}

/** Returns the position of the comma or closing bracket after the value at `from`; -1 when the bytes end first. */
export function valueEnd(bytes: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = closingQuote(bytes, at)
    } else if (byte === COMMA && depth === 0) return at
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth++
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      if (depth === 0) return at
      depth--
    }
  }
  return NONE
}

/**
 * Returns the position of the quote that closes the string opened at `quote`; at least the length when the string is not closed.
 */
function closingQuote(bytes: Uint8Array, quote: number): number {
  let at = quote + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
