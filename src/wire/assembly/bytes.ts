// Names of bytes, and what programs in AssemblyScript ask of bytes.

export const TAB: u8 = 0x09
export const LINE_FEED: u8 = 0x0a
export const RETURN: u8 = 0x0d
export const SPACE: u8 = 0x20
export const QUOTE: u8 = 0x22
export const PLUS: u8 = 0x2b
export const COMMA: u8 = 0x2c
export const MINUS: u8 = 0x2d
export const POINT: u8 = 0x2e
export const SLASH: u8 = 0x2f
export const ZERO: u8 = 0x30
export const NINE: u8 = 0x39
export const COLON: u8 = 0x3a
export const UPPER_A: u8 = 0x41
export const UPPER_E: u8 = 0x45
export const UPPER_T: u8 = 0x54
export const UPPER_Z: u8 = 0x5a
export const OPEN_ARRAY: u8 = 0x5b
export const BACKSLASH: u8 = 0x5c
export const CLOSE_ARRAY: u8 = 0x5d
export const LOWER_A: u8 = 0x61
export const LOWER_E: u8 = 0x65
export const LOWER_N: u8 = 0x6e
export const LOWER_T: u8 = 0x74
export const LOWER_U: u8 = 0x75
export const LOWER_Z: u8 = 0x7a
export const OPEN_OBJECT: u8 = 0x7b
export const CLOSE_OBJECT: u8 = 0x7d

export function isDigit(byte: u8): bool {
  return byte >= ZERO && byte <= NINE
}

/** `b` to `r`: the letters of the short escapes of the characters 8 to 13, eight bits each; 0 for character 11. */
const SHORT_ESCAPES: u64 = 0x7266_006e_7462

/** Returns the letter in the short escape of a control character; 0 when JSON has none. */
export function shortEscape(byte: u8): u8 {
  return byte >= 8 && byte <= 13 ? <u8>(SHORT_ESCAPES >> ((<u64>byte - 8) << 3)) : 0
}

/** Returns the position of the next byte that is not white space within a line. */
export function spaceEnd(at: usize): usize {
  let byte = load<u8>(at)
  while (byte === SPACE || byte === TAB || byte === RETURN) byte = load<u8>(++at)
  return at
}
