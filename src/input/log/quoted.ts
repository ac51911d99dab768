import { utf8AsLatin1 } from '../../text/bytes.js'
import { CONTROL_ESCAPES } from '../../text/control-escapes.js'
import { stringEnd } from '../../wire/json/members.js'

/** Returns the position of the quote that closes a string whose content begins at `from`, or -1. */
export function closingQuote(line: string, from: number): number {
  const end = stringEnd(line, from)
  return end === -1 ? -1 : end - 1
}

/** An escape. Consecutive `\u` escapes match together, because two of them may form a surrogate pair. */
const ESCAPE = /\\x([0-9a-fA-F]{2})|((?:\\u[0-9a-fA-F]{4})+)|\\([\s\S])/g
const NAMED: Readonly<Record<string, string>> = {
  ...CONTROL_ESCAPES,
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
}

/**
 * Decodes the escapes of a string: `\n`, `\"`, `\x41` for a byte, `\u00e9` for a character. Unknown escapes stay unchanged.
 */
export function decodeEscapes(inside: string): string {
  if (!inside.includes('\\')) return inside
  // Most escapes are of quotes, in objects. Without a backslash that is escaped, they can be replaced at once.
  const plain = inside.includes('\\\\') ? inside : inside.replaceAll('\\"', '"')
  return plain.replace(ESCAPE, (whole, byte?: string, units?: string, character?: string) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
    if (units !== undefined) return utf8AsLatin1(JSON.parse(`"${units}"`))
    return NAMED[character ?? ''] ?? whole
  })
}
