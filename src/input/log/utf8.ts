import { isUtf8 } from 'node:buffer'

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\u0000-\u007f]*$/

/** A text of a character for each byte, made UTF-8 where its bytes are not: then each is a character of latin1. */
export function asUtf8(text: string): string {
  if (ASCII.test(text) || isUtf8(Buffer.from(text, 'latin1'))) return text
  return Buffer.from(text).toString('latin1')
}
