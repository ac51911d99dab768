import { isSpace } from '../../text/bytes.js'
import { printsEqual } from '../../text/decimal.js'
import { formatInteger } from '../../text/integer.js'
import { MAX_FIELD_DEPTH, MAX_KEY_LENGTH, MAX_KEYS } from '../limits.js'
import { runToEnd, type Steps } from '../steps/steps.js'
import type { FieldPath } from './field-path.js'
import { parseJson } from './json-object.js'
import { KIND, type Kinds } from './kinds.js'

/** A value of an event that is not a group of fields. */
export interface Leaf {
  readonly path: FieldPath
  /** 0 for `null` and for an empty object. */
  readonly kinds: Kinds
  readonly form: 'null' | 'number' | 'string' | 'bool' | 'array' | 'object' | 'empty-object'
  /** A number as written, the value of a string, or the JSON of any other value. */
  readonly text: string
  /** The reason why the value is not stored as written; absent for most values. */
  readonly alteration?: Alteration
}

/**
 * `repeated-key`: the value is dropped, because its key occurred before in the object. `rounded`: a double cannot hold
 * the number.
 */
type Alteration = 'repeated-key' | 'rounded'

export const FORM_NAMES: Readonly<Record<Leaf['form'], string>> = {
  null: 'null',
  number: 'a number',
  string: 'a string',
  bool: 'a boolean',
  array: 'an array',
  object: 'an object',
  'empty-object': 'an object',
}

export type LineFault =
  | 'not-json'
  | 'not-an-object'
  | 'empty-field-name'
  | 'field-name-too-long'
  | 'number-too-large'
  | 'half-a-character'
  | 'nested-too-deep'
  | 'too-many-keys'
  | 'not-a-time'
  | 'not-utf-8'

/** The error for a line that is not a valid event. Its message is shown to users. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly fault: LineFault

  constructor(fault: LineFault, message: string) {
    // A million lines may be rejected, and capturing the stacks would take longer than everything else.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.fault = fault
  }
}

/**
 * Reads the values of an event exactly, with stricter rules than `JSON.parse` and without rounding. Throws `LineError`.
 */
export function readLeaves(line: string): readonly Leaf[] {
  return runToEnd(readLeavesInSteps(line))
}

/** Reads the values of an event like `readLeaves`, in steps of a few milliseconds. */
export function readLeavesInSteps(line: string): Steps<readonly Leaf[]> {
  return new LineReader(line).event()
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A part of a string. The number of repetitions is limited, because each repetition takes memory. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text.
const PIECE = /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/y
/** The length from which the error of `JSON.parse` for an invalid string costs little compared with the string. */
const LONG_STRING = 1 << 16
const SPACE = /[ \t\r\n]+/y
const LONE_SURROGATE = /\p{Surrogate}/u
const WORDS = [
  ['true', 'bool'],
  ['false', 'bool'],
  ['null', 'null'],
] as const
const MAX_EXACT_INTEGER = 2n ** 53n
/** The limit of the engine's JSON parser. */
const MAX_NESTING = 1000
/** Characters read per step. */
const STEP = 16 * 1024

class LineReader {
  private readonly line: string
  private at = 0
  private nesting = 0
  private arrays = 0
  private keys = 0
  private stepEnd = STEP

  constructor(line: string) {
    this.line = line
  }

  *event(): Steps<readonly Leaf[]> {
    this.space()
    const first = this.line[this.at]
    const leaves: Leaf[] = []
    if (first === '{') yield* this.object([], leaves)
    else yield* this.value(['the event'], leaves)
    this.space()
    if (this.at < this.line.length) throw this.notJson('content after the end of the event')
    if (first !== '{') {
      const form = FORM_NAMES[leaves[0]?.form ?? 'null']
      throw new LineError('not-an-object', `not an object but ${form}`)
    }
    return leaves
  }

  /** Object : `{` (String `:` Value (`,` String `:` Value)*)? `}` */
  private *object(path: FieldPath, into: Leaf[]): Steps<void> {
    this.enter()
    const seen = new Set<string>()
    let more = !this.take('}')
    while (more) {
      const key = this.string('a key in double quotes')
      if (key === '') throw new LineError('empty-field-name', 'an empty field name')
      if (key.length > MAX_KEY_LENGTH) {
        throw new LineError(
          'field-name-too-long',
          `a field name of more than ${formatInteger(MAX_KEY_LENGTH)} characters: ${short(key)}`,
        )
      }
      this.expect(':')
      if (this.arrays === 0 && path.length < MAX_FIELD_DEPTH) this.count()
      // Below the maximum depth, all values have the path of the object that contains them: long paths would take quadratic time.
      const place = path.length < MAX_FIELD_DEPTH ? [...path, key] : path
      if (seen.has(key)) yield* this.repeated(place, into)
      else if (this.isScalar()) into.push(this.scalar(place))
      else yield* this.value(place, into)
      if (this.at >= this.stepEnd) yield this.nextStep()
      seen.add(key)
      more = this.take(',')
      if (!more) this.expect('}')
    }
    this.nesting--
  }

  private count(): void {
    this.keys++
    if (this.keys <= MAX_KEYS) return
    throw new LineError(
      'too-many-keys',
      `more than ${formatInteger(MAX_KEYS)} keys, those of nested objects included`,
    )
  }

  /** Reads the value of a repeated key. As in the engine, only the first value counts: later ones keep only their paths. */
  private *repeated(path: FieldPath, into: Leaf[]): Steps<void> {
    const leaves: Leaf[] = []
    yield* this.value(path, leaves)
    for (const { path } of leaves) {
      into.push({ path, kinds: 0, form: 'null', text: 'null', alteration: 'repeated-key' })
    }
  }

  private *value(path: FieldPath, into: Leaf[]): Steps<void> {
    if (this.isScalar()) into.push(this.scalar(path))
    else if (this.line[this.at] === '{') yield* this.group(path, into)
    else yield* this.array(path, into)
  }

  private isScalar(): boolean {
    this.space()
    const first = this.line[this.at]
    return first !== '{' && first !== '['
  }

  private nextStep(): undefined {
    this.stepEnd = this.at + STEP
  }

  private scalar(path: FieldPath): Leaf {
    if (this.line[this.at] === '"') {
      return { path, kinds: KIND.string, form: 'string', text: this.string('a value') }
    }
    for (const [text, form] of WORDS) {
      if (!this.line.startsWith(text, this.at)) continue
      this.at += text.length
      return { path, kinds: form === 'bool' ? KIND.bool : 0, form, text }
    }
    return this.number(path)
  }

  private *group(path: FieldPath, into: Leaf[]): Steps<void> {
    const start = this.at
    const before = into.length
    yield* this.object(path, into)
    const isEmpty = into.length === before
    if (!isEmpty && path.length < MAX_FIELD_DEPTH) return
    into.length = before
    const text = this.line.slice(start, this.at)
    if (isEmpty) into.push({ path, kinds: 0, form: 'empty-object', text })
    else into.push({ path, kinds: KIND.other, form: 'object', text })
  }

  /** Array : `[` (Value (`,` Value)*)? `]` */
  private *array(path: FieldPath, into: Leaf[]): Steps<void> {
    const start = this.at
    this.enter()
    this.arrays++
    let more = !this.take(']')
    while (more) {
      if (this.isScalar()) this.scalar(path)
      else yield* this.value(path, [])
      if (this.at >= this.stepEnd) yield this.nextStep()
      more = this.take(',')
      if (!more) this.expect(']')
    }
    this.arrays--
    this.nesting--
    into.push({ path, kinds: KIND.array, form: 'array', text: this.line.slice(start, this.at) })
  }

  private number(path: FieldPath): Leaf {
    const text = this.match(NUMBER)
    if (text === undefined) throw this.notJson('a value')
    const kinds = /[.eE]/.test(text) ? realKinds(text) : intKinds(text)
    if (kinds !== undefined) {
      const leaf: Leaf = { path, kinds, form: 'number', text }
      return isRounded(text) ? { ...leaf, alteration: 'rounded' } : leaf
    }
    throw new LineError(
      'number-too-large',
      `a number outside 64 bits in field \`${path.join('.')}\`: ${short(text)}`,
    )
  }

  private string(wanted: string): string {
    this.space()
    if (this.line[this.at] !== '"') throw this.notJson(wanted)
    let end = this.pieceEnd(this.at + 1)
    if (this.line[end] !== '"') {
      const long = this.longString()
      if (long !== undefined) return long
      end = this.endOfString(end)
    }
    if (this.line[end] !== '"') throw this.badString(end) ?? this.notJson(wanted)
    const text = this.line.slice(this.at, end + 1)
    this.at = end + 1
    // Most strings have no escapes. A slice does not copy a long one.
    if (!text.includes('\\')) return text.slice(1, -1)
    return wellFormed(JSON.parse(text), text)
  }

  /**
   * Reads a long string that ends at the next quote. Checking its escapes first would take longer than `JSON.parse`, which checks them,
   * too. Returns undefined for other strings, and for one that is invalid.
   */
  private longString(): string | undefined {
    const end = this.line.indexOf('"', this.at + 1)
    if (end - this.at < LONG_STRING || this.line[end - 1] === '\\') return undefined
    const text = this.line.slice(this.at, end + 1)
    const value = parseJson(text)
    if (typeof value !== 'string') return undefined
    this.at = end + 1
    return wellFormed(value, text)
  }

  /** Returns the position of the closing quote, or of the first invalid character. */
  private endOfString(from: number): number {
    let end = from
    for (let next = this.pieceEnd(end); next > end; next = this.pieceEnd(end)) end = next
    return end
  }

  /** Returns the position after the piece at a position, which is empty at a quote and at an invalid character. */
  private pieceEnd(from: number): number {
    PIECE.lastIndex = from
    return PIECE.test(this.line) ? PIECE.lastIndex : from
  }

  /** Returns the error for a control character at `end`; undefined for any other character. */
  private badString(end: number): LineError | undefined {
    const character = this.line[end]
    if (character === undefined || character > '\u001f') return undefined
    const [name, written] = controlWords(character)
    return new LineError(
      'not-json',
      `not JSON: a raw ${name} in a string at column ${end + 1}, which must be written ${written}`,
    )
  }

  private enter(): void {
    this.at++
    this.nesting++
    if (this.nesting > MAX_NESTING)
      throw new LineError(
        'nested-too-deep',
        `nested deeper than ${formatInteger(MAX_NESTING)} levels`,
      )
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const text = pattern.exec(this.line)?.[0]
    if (text !== undefined) this.at += text.length
    return text
  }

  private space(): void {
    if (!isSpace(this.line.charCodeAt(this.at))) return
    SPACE.lastIndex = this.at
    SPACE.exec(this.line)
    this.at = SPACE.lastIndex
  }

  private take(character: string): boolean {
    this.space()
    if (this.line[this.at] !== character) return false
    this.at++
    return true
  }

  private expect(character: string): void {
    if (!this.take(character)) throw this.notJson(`\`${character}\``)
  }

  private notJson(expected: string): LineError {
    const found = this.at < this.line.length ? `\`${this.line[this.at]}\`` : 'the end of the line'
    const what = expected.startsWith('content') ? expected : `${expected} expected, ${found} found`
    return new LineError('not-json', `not JSON: ${what} at column ${this.at + 1}`)
  }
}

/** The maximum length of integers that a double always holds exactly. */
const EXACT_LENGTH = 15

function intKinds(text: string): Kinds | undefined {
  if (text.length <= EXACT_LENGTH) return KIND.int
  if (text.length > 20) return undefined
  const value = BigInt(text)
  if (value > 2n ** 64n - 1n || value < -(2n ** 63n)) return undefined
  if (value > 2n ** 63n - 1n) return KIND.other
  const long = value > MAX_EXACT_INTEGER || value < -MAX_EXACT_INTEGER
  return long ? KIND.int | KIND.long : KIND.int
}

function realKinds(text: string): Kinds | undefined {
  return Number.isFinite(Number(text)) ? KIND.real : undefined
}

/** The maximum length of numbers without an exponent that never have more digits than a double keeps. */
const SURE_LENGTH = 16

/** True when storing changes the number: fractions and exponents become doubles, and `-0` becomes 0. */
function isRounded(text: string): boolean {
  if (text === '-0') return true
  const hasExponent = /[eE]/.test(text)
  if (!hasExponent && (text.length <= SURE_LENGTH || !text.includes('.'))) return false
  return !printsEqual(text)
}

function wellFormed(value: string, text: string): string {
  if (!LONE_SURROGATE.test(value)) return value
  throw new LineError('half-a-character', `an unpaired surrogate in the string ${short(text)}`)
}

/** Returns the name of a control character and its JSON escape. */
function controlWords(character: string): readonly [name: string, written: string] {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return CONTROL_WORDS[character] ?? [`control character U+${code.toUpperCase()}`, `\`\\u${code}\``]
}

const CONTROL_WORDS: Readonly<Record<string, readonly [name: string, written: string]>> = {
  '\t': ['tab', '`\\t`'],
  '\r': ['carriage return', '`\\r`'],
  // `ValueScanner` replaces a line feed in a string by this byte.
  '\u0001': ['line feed or U+0001', '`\\n` or `\\u0001`'],
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`
}
