import { isInt64 } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { FIRST_TIME, LAST_TIME } from '../../wire/event/event-time.js'
import { MAX_QUERY_LENGTH, MAX_TOKENS } from '../../wire/limits.js'
import * as literalProblem from '../problem/literal.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Excerpt } from '../problem/wording.js'
import { TYPE_WORDS, type Type } from '../type.js'
import type { LiteralValue } from './ast.js'
import { parseDatetime, parseTimespan } from './datetime.js'
import { parseDynamic } from './dynamic-literal.js'
import { readEscapes } from './string-literal.js'
import { SIGNS, type Sign, type Token } from './token.js'

/** The tokens of a query, the last of kind `end`, and the problems found. */
interface LexResult {
  readonly tokens: readonly Token[]
  readonly problems: readonly Problem[]
}

/** Splits a query into tokens, separated by spaces and `//` comments. Returns no tokens above the limits. */
export function lex(text: string): LexResult {
  if (text.length <= MAX_QUERY_LENGTH) return new Lexer(text).run()
  const span = { start: MAX_QUERY_LENGTH, end: MAX_QUERY_LENGTH + 1 }
  return { tokens: [], problems: [syntaxProblem.textTooLong(span, MAX_QUERY_LENGTH)] }
}

/** The largest integer. */
const MAX_INT = 9_223_372_036_854_775_807n

const SPACE = /(?:\s|\/\/[^\n]*)+/y
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const NUMBER = /(\d+)(\.\d+)?([eE][+-]?\d+)?/y
/** A time as RFC 3339 writes it. A date alone is an arithmetic expression. */
const BARE_TIME =
  /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?(?![\p{L}\p{N}_])/uy
const NUMBER_TAIL = /[\p{L}\p{N}_]*/uy
const STRING = /@?(?:"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')/y
const RAW_STRING = /@(?:"[^"\n]*"|'[^'\n]*')/y
const OPEN_STRING = /@?["'][^\n]*/y
const NEGATED =
  /!(?:(?:contains|startswith|endswith|has|hasprefix|hassuffix)(?:_cs)?|in~?|between|matches)(?![\p{L}\p{N}_])/uy
const IN_TILDE = /in~/y
/** A string inside the parentheses of a typed literal. */
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y
const STRAY = /[^\s\p{L}\p{N}_"'()[\]{}<>=!~+\-*/%,.|;:&$]+/uy

/** The signs by their first character, longer ones first. */
const SIGNS_BY_START: ReadonlyMap<string, readonly Sign[]> = new Map(
  SIGNS.map(([start]) => [start!, SIGNS.filter((sign) => sign.startsWith(start!))]),
)

class Lexer {
  private readonly text: string
  private at = 0
  private readonly tokens: Token[] = []
  private readonly problems: Problem[] = []
  private readonly strays = new Set<string>()
  /** The number of additional values inside `dynamic(…)`, which is one token. */
  private inner = 0

  constructor(text: string) {
    this.text = text
  }

  run(): LexResult {
    this.match(SPACE)
    while (this.at < this.text.length) {
      const token = this.token()
      if (token !== undefined) {
        this.tokens.push(token)
        if (this.tokens.length + this.inner > MAX_TOKENS) return this.tooManyTokens(token)
      }
      this.match(SPACE)
    }
    // The end is directly after the last token, so that a message about it does not point behind spaces and comments.
    const end = this.tokens.at(-1)?.span.end ?? 0
    this.tokens.push({ kind: 'end', span: { start: end, end } })
    return { tokens: this.tokens, problems: this.problems }
  }

  private tooManyTokens({ span }: Token): LexResult {
    return { tokens: [], problems: [syntaxProblem.tooManyTokens(span, MAX_TOKENS)] }
  }

  /** Token : Word | TypedLiteral | Number | Timespan | String | Sign */
  private token(): Token | undefined {
    const start = this.at
    const time = this.match(BARE_TIME)
    if (time !== undefined) return this.bareTime(time, start)
    if (this.match(NUMBER) !== undefined) return this.number(start)
    const word = this.match(NEGATED) ?? this.match(IN_TILDE) ?? this.match(NAME)
    if (word !== undefined) return this.word(word, start)
    const sign = SIGNS_BY_START.get(this.text[start]!)?.find((one) =>
      this.text.startsWith(one, start),
    )
    if (sign !== undefined) return this.sign(sign)
    const raw = this.match(RAW_STRING)
    if (raw !== undefined) return this.literal('string', raw.slice(2, -1), start)
    const quoted = this.match(STRING)
    if (quoted !== undefined) return this.string(quoted, start)
    if (this.match(OPEN_STRING) !== undefined) return this.openString(start)
    if (this.match(STRAY) === undefined) this.at += this.text.codePointAt(start)! > 0xffff ? 2 : 1
    this.stray(this.text.slice(start, this.at), this.from(start))
    return undefined
  }

  /** Reports each character once, and typographic quotes, which come in pairs, as one character. */
  private stray(text: string, span: Span): void {
    const sort = /^[`“”‘’]/.test(text) ? 'quote' : text
    if (this.strays.has(sort)) return
    this.strays.add(sort)
    this.problems.push(literalProblem.strayCharacter({ text, span }))
  }

  private word(text: string, start: number): Token {
    const type = ownValue(TYPE_WORDS, text)
    const open = /\s*\(/y
    if (type !== undefined && this.match(open) !== undefined) return this.typed(text, type, start)
    return { kind: 'name', text, span: this.from(start) }
  }

  private sign(text: Sign): Token {
    const start = this.at
    this.at += text.length
    return { kind: 'sign', text, span: this.from(start) }
  }

  private number(start: number): Token {
    this.match(NUMBER_TAIL)
    const span = this.from(start)
    const text = this.text.slice(start, this.at)
    const timespan = parseTimespan(text)
    if (timespan !== undefined) {
      if (timespan > MAX_INT) this.problems.push(literalProblem.timespanTooLong({ text, span }))
      return this.literal('timespan', timespan, start)
    }
    const value = parseNumber(text)
    if (value === undefined) this.problems.push(literalProblem.badNumber({ text, span }))
    if (value === Infinity) this.problems.push(literalProblem.numberTooLarge({ text, span }))
    return this.literal(typeof value === 'number' ? 'real' : 'int', value ?? 0n, start)
  }

  private bareTime(text: string, start: number): Token {
    this.problems.push(literalProblem.bareTime({ text, span: this.from(start) }))
    return this.literal('datetime', null, start)
  }

  private string(quoted: string, start: number): Token {
    const read = readEscapes(quoted.slice(1, -1))
    if ('value' in read) return this.literal('string', read.value, start)
    const at = start + 1 + read.bad
    const sequence = quoted.slice(1 + read.bad, 1 + read.bad + read.length)
    this.problems.push(
      literalProblem.badEscape({ text: sequence, span: { start: at, end: at + read.length } }),
    )
    return this.literal('string', '', start)
  }

  private openString(start: number): Token {
    this.problems.push(literalProblem.unclosedString(this.from(start)))
    return this.literal('string', '', start)
  }

  /** TypedLiteral : ( `datetime` | `timespan` | `dynamic` | `int` | … ) `(` … `)` */
  private typed(word: string, type: Type, start: number): Token {
    const open = this.at
    const close = this.closing(open)
    if (close === undefined) {
      this.at = this.text.length
      this.problems.push(syntaxProblem.unclosedBracket({ start: open - 1, end: open }, '('))
      return this.literal(type, null, start)
    }
    this.at = close + 1
    const body = this.text.slice(open, close)
    const read = readTyped(type, body)
    const span = close > open ? { start: open, end: close } : { start, end: this.at }
    const written = { text: body.trim(), span }
    if (read === undefined) this.problems.push(literalProblem.badLiteral(written, word, type))
    else this.problems.push(...outOfRange(type, read, written))
    if (type === 'dynamic' && typeof read === 'string') this.inner += commasIn(read)
    return this.literal(type, read ?? null, start)
  }

  /** Returns the position of the parenthesis that closes the one in front of `from`, ignoring strings. */
  private closing(from: number): number | undefined {
    const sign = /["'()]/g
    sign.lastIndex = from
    /** Quotes of which an earlier one opens no string: neither do later ones, and each search would go to the end of the query. */
    const unclosed = new Set<string>()
    let depth = 1
    for (let found = sign.exec(this.text); found !== null; found = sign.exec(this.text)) {
      const [text] = found
      if (text === '(') depth++
      else if (text === ')') {
        if (--depth === 0) return found.index
      } else if (!unclosed.has(text)) {
        QUOTED.lastIndex = found.index
        if (QUOTED.test(this.text)) sign.lastIndex = QUOTED.lastIndex
        else unclosed.add(text)
      }
    }
    return undefined
  }

  private literal(type: Type, value: LiteralValue, start: number): Token {
    return { kind: 'literal', type, value, span: this.from(start) }
  }

  private from(start: number): Span {
    return { start, end: this.at }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}

/** Returns an integer, or a real number; undefined for other text. */
function parseNumber(text: string): bigint | number | undefined {
  if (/^[+-]?\d+$/.test(text)) return BigInt(text)
  return /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

/** Returns the number of commas outside strings: one less than the number of values in a JSON array or object. */
function commasIn(json: string): number {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '').split(',').length - 1
}

/** Parses the contents of `datetime(…)` and other typed literals; undefined if they are not a value of the type. */
function readTyped(type: Type, body: string): LiteralValue | undefined {
  const written = body.trim()
  if (written === 'null') return null
  const text = /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : written
  return READERS[type](written, text)
}

/** Parse the contents of literals by type: as they are written, and without quotes around them. */
const READERS: Readonly<Record<Type, (written: string, text: string) => LiteralValue | undefined>> =
  {
    bool: (written) => (written === 'true' ? true : written === 'false' ? false : undefined),
    datetime: (_, text) => parseDatetime(text),
    dynamic: parseDynamic,
    int: (written) => readNumber('int', written),
    real: (written) => readNumber('real', written),
    string: (written, text) => (text === written ? undefined : stringValue(text)),
    timespan: (_, text) => parseTimespan(text),
  }

/** Returns the problem with a datetime or timespan that is too large or too small, if it is one. */
function outOfRange(type: Type, value: LiteralValue, written: Excerpt): readonly Problem[] {
  if (typeof value !== 'bigint') return []
  if (type === 'datetime' && (value < FIRST_TIME || value > LAST_TIME)) {
    return [literalProblem.datetimeOutOfRange(written)]
  }
  const long = type === 'timespan' && (value > MAX_INT || value < -MAX_INT)
  return long ? [literalProblem.timespanTooLong(written)] : []
}

function readNumber(type: 'int' | 'real', text: string): bigint | number | undefined {
  const value = parseNumber(text)
  if (type === 'int') return typeof value === 'bigint' && isInt64(value) ? value : undefined
  return value !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined
}

function stringValue(body: string): string | undefined {
  const read = readEscapes(body)
  return 'value' in read ? read.value : undefined
}
