import { isUtf8 } from 'node:buffer'
import { cellValue } from '../../wire/csv/csv-cell.js'

/**
 * The JSON text of an event in the making. All text is handled as latin1, a character for each byte:
 * the signs of logs and of JSON are ASCII, and what is between them stays byte for byte.
 */
export class EventText {
  private members = ''

  /** A member whose value is JSON already. */
  json(key: string, value: string): void {
    this.members += (this.members === '' ? '' : ',') + keyText(key) + value
  }

  text(key: string, value: string): void {
    this.json(key, JSON.stringify(value))
  }

  /** A number or a boolean where the text is one beyond doubt, as in CSV. */
  plain(key: string, value: string): void {
    this.json(key, cellValue(value))
  }

  /** The text so far; the next event begins. */
  take(): string {
    const { members } = this
    this.members = ''
    return `{${members}}`
  }
}

/** Logs have few keys; hostile ones do not get more memory for many. */
const MOST_KEYS = 1000
const KEYS = new Map<string, string>()

function keyText(key: string): string {
  const known = KEYS.get(key)
  if (known !== undefined) return known
  const text = `${JSON.stringify(key)}:`
  if (KEYS.size < MOST_KEYS) KEYS.set(key, text)
  return text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\u0000-\u007f]*$/

/** A text of a character for each byte, made UTF-8 where its bytes are not: then each is a character of latin1. */
export function ensureUtf8(text: string): string {
  if (ASCII.test(text) || isUtf8(Buffer.from(text, 'latin1'))) return text
  return Buffer.from(text).toString('latin1')
}
