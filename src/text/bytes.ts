// The bytes of ASCII by their names. The bundler inlines the numbers.

export const TAB = 0x09
export const LINE_FEED = 0x0a
export const FORM_FEED = 0x0c
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const POINT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const LESS_THAN = 0x3c
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const CARET = 0x5e
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

/** True for the white space of JSON. Other control characters are content. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB
}

export function isLineEnd(code: number | undefined): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN
}

/** Returns the UTF-8 bytes of text as latin1 characters, as lines of logs have them. */
export function utf8AsLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length))
}

/** True for a range that has only white space of JSON; stops at the first other byte. */
export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at]!)) return false
  return true
}
