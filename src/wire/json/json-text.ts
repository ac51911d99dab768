import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../text/bytes.js'
import { MalformedResponseError } from '../http/response-json.js'
import type { Steps } from '../steps/steps.js'
import { stringEnd } from './members.js'

/** Characters read per step. */
const STEP = 64 * 1024

const SPACE = /[ \t\r\n]+/y

/**
 * Reads JSON by its structure and returns values as text, so that no number becomes a double. Values are checked only as far as
 * necessary to find their ends.
 */
export class JsonReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Reads an array like `elements`, in two thirds of the time; `element` must read or skip the value. */
  array(element: () => void): void {
    this.expect(OPEN_BRACKET)
    if (this.take(CLOSE_BRACKET)) return
    do element()
    while (this.take(COMMA))
    this.expect(CLOSE_BRACKET)
  }

  /** Object : `{` (String `:` Value (`,` String `:` Value)*)? `}`; yields the keys, each value of which must be read or skipped. */
  *members(): Generator<string, void> {
    this.expect(OPEN_BRACE)
    if (this.take(CLOSE_BRACE)) return
    do yield this.memberKey()
    while (this.take(COMMA))
    this.expect(CLOSE_BRACE)
  }

  /** Array : `[` (Value (`,` Value)*)? `]`; yields the indices of the elements, each of which must be read or skipped. */
  *elements(): Generator<number, void> {
    this.expect(OPEN_BRACKET)
    if (this.take(CLOSE_BRACKET)) return
    let index = 0
    do yield index++
    while (this.take(COMMA))
    this.expect(CLOSE_BRACKET)
  }

  /** Skips `null` and returns true if it is next. */
  takeNull(): boolean {
    this.skipSpace()
    if (!this.text.startsWith('null', this.at)) return false
    this.at += 'null'.length
    return true
  }

  /** Throws unless only white space follows. */
  end(): void {
    this.skipSpace()
    if (this.at < this.text.length) throw this.malformed('the end')
  }

  next(): string {
    this.skipSpace()
    return this.text.charAt(this.at)
  }

  raw(): JsonText {
    this.skipSpace()
    const start = this.at
    this.skipValue()
    return this.text.slice(start, this.at)
  }

  /** Returns the next value as text, in steps of a few milliseconds, because it may be long. */
  *rawInSteps(): Steps<JsonText> {
    this.skipSpace()
    const start = this.at
    if (!this.isNested()) this.skipValue()
    else
      for (let depth = this.skipNested(0, STEP); depth > 0; depth = this.skipNested(depth, STEP)) {
        yield
      }
    return this.text.slice(start, this.at)
  }

  /** Returns the next value as text. Returns undefined for a value longer than `length`, which is not read to its end. */
  rawWithin(length: number): JsonText | undefined {
    this.skipSpace()
    const start = this.at
    const depth = this.isNested() ? this.skipNested(0, length) : 0
    if (depth > 0) return undefined
    if (this.at === start) this.skipValue()
    return this.at - start > length ? undefined : this.text.slice(start, this.at)
  }

  protected key(): string {
    return JSON.parse(this.raw()) as string
  }

  private memberKey(): string {
    this.skipSpace()
    if (this.code() !== QUOTE) throw this.malformed('an object key')
    const key = this.key()
    this.expect(COLON)
    return key
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

  private skipValue(): void {
    if (this.code() === QUOTE) this.skipString()
    else if (this.isNested()) this.skipNested()
    else this.skipWord()
  }

  private isNested(): boolean {
    const code = this.code()
    return code === OPEN_BRACKET || code === OPEN_BRACE
  }

  private skipString(): void {
    const end = stringEnd(this.text, this.at + 1)
    if (end === -1) throw this.malformed('the end of a string')
    this.at = end
  }

  /**
   * Skips an array or an object, or the rest of one from the depth `outer`, but stops after `length` characters. Returns the depth
   * at the new position, 0 at the end of the value.
   */
  private skipNested(outer = 0, length = Number.POSITIVE_INFINITY): number {
    const end = this.at + length
    let depth = outer
    do {
      const code = this.code()
      if (code === QUOTE) this.skipString()
      else {
        if (code === OPEN_BRACKET || code === OPEN_BRACE) depth += 1
        else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1
        else if (Number.isNaN(code)) throw this.malformed('the end of a value')
        this.at += 1
      }
    } while (depth > 0 && this.at < end)
    return depth
  }

  /** Skips a number, `true`, `false` or `null`. */
  private skipWord(): void {
    const start = this.at
    while (isWordCode(this.code())) this.at += 1
    if (this.at === start) throw this.malformed('a value')
  }

  private skipSpace(): void {
    if (!isSpace(this.code())) return
    SPACE.lastIndex = this.at
    SPACE.exec(this.text)
    this.at = SPACE.lastIndex
  }

  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private malformed(expected: string): Error {
    if (this.at >= this.text.length) return this.error('it ends too early')
    return this.error(`${expected} expected at character ${this.at + 1}`)
  }

  protected error(what: string): Error {
    return new MalformedResponseError(what)
  }
}

/** The characters of numbers and words: letters, digits, `+`, `-` and `.`. */
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

/** A JSON value as text, without white space around it. */
export type JsonText = string

/** Returns the type of a value, except null, in results. */
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

export function elements(array: JsonText): readonly JsonText[] {
  if (isPlain(array)) return array === '[]' ? [] : array.slice(1, -1).split(',')
  const found: JsonText[] = []
  const reader = new JsonReader(array)
  reader.array(() => found.push(reader.raw()))
  return found
}

/** True when all elements are numbers, true, false or null, so that commas occur only between elements. */
function isPlain(array: JsonText): boolean {
  return /^\[[^"[{\s]*\]$/.test(array)
}
