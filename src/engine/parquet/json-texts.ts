import { BACKSLASH, LINE_FEED, QUOTE } from '../../text/bytes.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { writeLength, writeText } from '../../wire/native/encode-block.js'

// Each line is an object with one member, whose key is empty: the value is between these texts.
const LINE_START = '{"":'
const LINE_END = '}\n'

/** The first byte of `null`. */
const LOWER_N = 0x6e

/** Returns the values of lines. */
export function valuesIn(lines: Buffer): readonly JsonText[] {
  const texts = lines.toString().split(LINE_END).slice(0, -1)
  return texts.map((text) => text.slice(LINE_START.length))
}

/**
 * Encodes the values of lines as texts of a column in the format Native: strings without quotes and escapes, other values as JSON.
 * Escapes of lone surrogates stay escapes. Sets a byte in `nulls` to 1 for each row whose value is null. Returns the number of rows.
 */
export function encodeJsonTexts(
  lines: Buffer,
  nulls: Buffer,
): { readonly texts: Buffer; readonly rows: number } {
  // A text is not longer than its JSON, and its length takes less space than the texts around the value.
  const texts = Buffer.allocUnsafe(lines.length)
  let written = 0
  let rows = 0
  for (let at = 0; at < lines.length; rows++) {
    const start = at + LINE_START.length
    at = lineEnd(lines, start)
    const end = at - LINE_END.length
    if (lines[start] === LOWER_N) {
      nulls[rows] = 1
      written = writeLength(texts, 0, written)
    } else if (lines[start] !== QUOTE) {
      written = copyText(lines, start, end, texts, written)
    } else if (isEscaped(lines, start, end)) {
      written = writeText(texts, unescaped(lines.toString('utf8', start, end)), written)
    } else {
      written = copyText(lines, start + 1, end - 1, texts, written)
    }
  }
  return { texts: texts.subarray(0, written), rows }
}

// Loops over bytes take less time than calls of functions of buffers: most values are short.

function lineEnd(lines: Buffer, from: number): number {
  let at = from
  while (lines[at] !== LINE_FEED) at++
  return at + 1
}

function isEscaped(lines: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (lines[at] === BACKSLASH) return true
  return false
}

function copyText(
  lines: Buffer,
  start: number,
  end: number,
  texts: Buffer,
  written: number,
): number {
  let to = writeLength(texts, end - start, written)
  for (let at = start; at < end; at++) texts[to++] = lines[at]!
  return to
}

function unescaped(json: JsonText): string {
  const text = JSON.parse(json) as string
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
