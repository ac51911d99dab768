import { MalformedAnswerError } from './malformed-answer.js'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Walks JSON text by its structure and hands out each value as the text it was, so that no number
 * is read into a double. Values are not checked beyond finding where they end.
 */
export class JsonReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Object : `{` (String `:` Value (`,` String `:` Value)*)? `}`; `member` must read the value. */
  object(member: (key: string) => void): void {
    this.expect(OPEN_OBJECT)
    if (this.take(CLOSE_OBJECT)) return
    do {
      this.skipSpace()
      if (this.code() !== QUOTE) throw this.malformed('an object key')
      const key = JSON.parse(this.raw()) as string
      this.expect(COLON)
      member(key)
    } while (this.take(COMMA))
    this.expect(CLOSE_OBJECT)
  }

  /** Array : `[` (Value (`,` Value)*)? `]`; `element` must read the value. */
  array(element: () => void): void {
    this.expect(OPEN_ARRAY)
    if (this.take(CLOSE_ARRAY)) return
    do element()
    while (this.take(COMMA))
    this.expect(CLOSE_ARRAY)
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

  /** Steps over `null` if it is next. */
  takeNull(): boolean {
    this.skipSpace()
    if (!this.text.startsWith('null', this.at)) return false
    this.at += 4
    return true
  }

  /** Nothing but white space may follow. */
  end(): void {
    this.skipSpace()
    if (this.at < this.text.length) throw this.malformed('the end')
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

  private expect(code: number): void {
    if (!this.take(code)) throw this.malformed(`\`${String.fromCharCode(code)}\``)
  }

  private take(code: number): boolean {
    this.skipSpace()
    if (this.code() !== code) return false
    this.at += 1
    return true
  }

  private skipSpace(): void {
    while (isSpaceCode(this.code())) this.at += 1
  }

  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private malformed(expected: string): MalformedAnswerError {
    if (this.at >= this.text.length) return new MalformedAnswerError('it ends too soon')
    return new MalformedAnswerError(`at character ${this.at + 1} it should have ${expected}`)
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
