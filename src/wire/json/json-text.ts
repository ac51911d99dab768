import { MalformedResponseError } from '../http/malformed-response.js'
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.js'
import { JsonWalker } from './json-walker.js'

/**
 * Walks JSON text by its structure and hands out each value as the text it was, so that no number
 * is read into a double. Values are not checked beyond finding where they end.
 */
export class JsonReader extends JsonWalker {
  private readonly text: string

  constructor(text: string) {
    super()
    this.text = text
  }

  /** The sign that the next value begins with. */
  next(): string {
    this.skipSpace()
    return this.text.charAt(this.at)
  }

  /** The text of the next value. */
  raw(): JsonText {
    this.skipSpace()
    const start = this.at
    this.skipValue()
    return this.text.slice(start, this.at)
  }

  protected key(): string {
    return JSON.parse(this.raw()) as string
  }

  protected isNull(): boolean {
    return this.text.startsWith('null', this.at)
  }

  protected isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  private skipValue(): void {
    const code = this.code()
    if (code === QUOTE) this.skipString()
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) this.skipNested()
    else this.skipWord()
  }

  private skipString(): void {
    let end = this.at
    do {
      end = this.text.indexOf('"', end + 1)
      if (end === -1) throw this.malformed('the end of a string')
    } while (this.isEscaped(end))
    this.at = end + 1
  }

  /** A quote is escaped when the backslashes right before it are odd in number. */
  private isEscaped(quote: number): boolean {
    let before = quote
    while (this.text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    return (quote - before) % 2 === 1
  }

  private skipNested(): void {
    let depth = 0
    do {
      const code = this.code()
      if (code === QUOTE) this.skipString()
      else {
        if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth += 1
        else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1
        else if (Number.isNaN(code)) throw this.malformed('the end of a value')
        this.at += 1
      }
    } while (depth > 0)
  }

  /** A number, `true`, `false` or `null`. */
  private skipWord(): void {
    const start = this.at
    while (isWordCode(this.code())) this.at += 1
    if (this.at === start) throw this.malformed('a value')
  }

  protected skipSpace(): void {
    while (isSpaceCode(this.code())) this.at += 1
  }

  protected code(): number {
    return this.text.charCodeAt(this.at)
  }

  protected malformed(expected: string): MalformedResponseError {
    if (this.at >= this.text.length) return new MalformedResponseError('it ends too soon')
    return new MalformedResponseError(`at character ${this.at + 1} it should have ${expected}`)
  }
}

function isSpaceCode(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Letters, digits, `+`, `-` and `.`: what numbers and the three words are made of. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x45
  )
}

/** The text of one JSON value, without white space around it. */
export type JsonText = string

/** What the type of a value other than null is called in a result. */
export function jsonType(value: JsonText): string {
  switch (value[0]) {
    case '"':
      return 'string'
    case '[':
      return 'array'
    case '{':
      return 'object'
    case 't':
    case 'f':
      return 'boolean'
    default:
      return /[.eE]/.test(value) ? 'float' : 'integer'
  }
}
