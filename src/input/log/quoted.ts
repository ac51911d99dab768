const BACKSLASH = 0x5c
const QUOTE = 0x22

/** Where the quote is that closes a text whose inside begins at `from`; -1 when there is none. A backslash hides the next character. */
export function closingQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
  return -1
}

/** Those of one character after the other are read at once: two of them may be the halves of one. */
const ESCAPE = /\\x([0-9a-fA-F]{2})|((?:\\u[0-9a-fA-F]{4})+)|\\([\s\S])/g
const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
}

/**
 * A text without its escapes: `\n`, `\"`, `\x41` for a byte, `\u00e9` for a character. What is no
 * escape stays as it is.
 */
export function decodeEscapes(inside: string): string {
  if (!inside.includes('\\')) return inside
  return inside.replace(ESCAPE, (whole, byte?: string, units?: string, sign?: string) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
    if (units !== undefined) return bytesOf(JSON.parse(`"${units}"`))
    return NAMED[sign ?? ''] ?? whole
  })
}

/** A text as a character for each byte of its UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
