// Finds the ends of values in the bytes of JSON that is valid or is validated elsewhere: only quotes, brackets and commas are
// examined. `ValueScanner` does the same for JSON that arrives in chunks; the reader of events, `json-line.ts`, checks every byte.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
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

/** Returns the position of the comma or closing bracket after the value at `from`; -1 when there is none before `end`. */
export function valueEnd(bytes: Uint8Array, from: number, end = bytes.length): number {
  let depth = 0
  for (let at = from; at < end; at++) {
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

/** The positions at which a value begins and ends. */
export interface Member {
  readonly from: number
  readonly to: number
}

/** Returns the positions of an object that is all of the bytes. */
export function whole({ length }: Uint8Array): Member {
  return { from: 0, to: length }
}

/**
 * Finds the first member with a key in the object between two positions, nested ones excluded, without parsing the rest.
 * Returns undefined when there is none or when the bytes are not JSON. The key is in latin1, and compared as it is written.
 */
export function findMember(
  bytes: Uint8Array,
  key: string,
  { from, to }: Member,
): Member | undefined {
  let at = spaceEnd(bytes, from)
  if (bytes[at] !== OPEN_BRACE) return undefined
  while (at < to) {
    const open = spaceEnd(bytes, at + 1)
    if (bytes[open] !== QUOTE) return undefined
    const close = closingQuote(bytes, open)
    const colon = spaceEnd(bytes, close + 1)
    if (bytes[colon] !== COLON) return undefined
    const value = spaceEnd(bytes, colon + 1)
    at = valueEnd(bytes, value, to)
    if (at <= value) return undefined
    if (isText(bytes, open + 1, close, key)) return { from: value, to: contentEnd(bytes, at) }
    if (bytes[at] !== COMMA) return undefined
  }
  return undefined
}

/** Finds the value to which keys lead, one in the other. */
export function findPath(
  bytes: Uint8Array,
  path: readonly string[],
  object: Member,
): Member | undefined {
  let found: Member | undefined = object
  for (const key of path) {
    if (found === undefined) return undefined
    found = findMember(bytes, key, found)
  }
  return found
}

/** True when the bytes between two positions are a text in latin1. */
export function isText(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  if (to - from !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false
  return true
}

/** Returns the position after the last byte in front of `end` that is not white space. */
export function contentEnd(bytes: Uint8Array, end: number): number {
  let at = end
  while (isSpace(bytes[at - 1]!)) at--
  return at
}

/**
 * Returns the position of the quote that closes the string opened at `quote`; at least the length when the string is not closed.
 */
function closingQuote(bytes: Uint8Array, quote: number): number {
  let at = quote + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
