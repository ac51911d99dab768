import { isUtf8 } from 'node:buffer'

const REPLACEMENT = '\ufffd'

/** Decodes UTF-8. Each run of invalid bytes becomes one replacement character, as in ClickHouse's JSON. */
export function validText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let last = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isCharacter(bytes, at, count))
    const next = length === undefined ? REPLACEMENT : bytes.toString('utf8', at, at + length)
    // Not `text.endsWith`, which would copy the growing text each time.
    if (length !== undefined || last !== REPLACEMENT) text += next
    last = next
    at += length ?? 1
  }
  return text
}

/** Returns the JSON of a string with the escapes that ClickHouse writes. */
export function engineString(text: string): string {
  return (
    JSON.stringify(text)
      // Matches each escape: the text itself may contain a backslash followed by `u00e9`.
      .replace(/\\(?:u(00..)|.)/g, (found, code: string | undefined) =>
        code === undefined ? found : `\\u${code.toUpperCase()}`,
      )
      .replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)
  )
}

/** True when exactly this number of bytes is one character. */
function isCharacter(bytes: Buffer, at: number, count: number): boolean {
  const part = bytes.subarray(at, at + count)
  return part.length === count && isUtf8(part) && [...part.toString('utf8')].length === 1
}
