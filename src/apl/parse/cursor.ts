import type { Problem } from '../../text/problem.js'
import { joinSpans, type Span } from '../../text/span.js'
import { INFIX_HABITS } from '../problem/habits.js'
import * as languageProblem from '../problem/language.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier } from '../syntax/ast.js'
import { textOf } from '../syntax/string-literal.js'
import { isSign, type Sign, type Token } from '../syntax/token.js'
import { isBinaryOperator, isMembershipOperator } from '../syntax/words.js'

/** Thrown to abandon the current step, or the check of a query, with a problem. */
export class Stop extends Error {
  readonly problem: Problem

  constructor(found: Problem) {
    super(found.message)
    this.problem = found
  }
}

/** The maximum depth of expressions: every tree walk is recursive, and the stack is finite. */
export const MAX_DEPTH = 500

function bracketsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (isSign(token, '(', '[')) open.push(at)
    const from = isSign(token, ')', ']') ? open.pop() : undefined
    if (from !== undefined) found.set(from, at)
  }
  return found
}

/** A position in the tokens of a query, with the primitives of recursive descent. */
export class Cursor {
  readonly text: string
  readonly tokens: readonly Token[]
  at = 0
  depth = 0
  private found: ReadonlyMap<number, number> | undefined

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.tokens = tokens
  }

  /** Returns true at the end of the current step. */
  isStepEnd(): boolean {
    const token = this.peek()
    return token.kind === 'end' || isSign(token, '|', ';', ')')
  }

  /** The position of each closing bracket by the position of its opening bracket; unclosed brackets are missing. */
  get brackets(): ReadonlyMap<number, number> {
    this.found ??= bracketsOf(this.tokens)
    return this.found
  }

  list<T>(item: () => T): readonly T[] {
    const items = [item()]
    for (;;) {
      const comma = this.takeSign(',')
      if (comma === undefined) return items
      if (this.isStepEnd() || this.isWord('by')) throw new Stop(syntaxProblem.trailingComma(comma))
      items.push(item())
    }
  }

  descend(): void {
    if (++this.depth > MAX_DEPTH) throw new Stop(syntaxProblem.tooDeep(this.peek().span))
  }

  ascend(): void {
    this.depth--
  }

  peek(): Token {
    return this.tokens[this.at]!
  }

  /** Returns the span of the previous token. */
  last(): Span {
    return this.tokens[this.at - 1]!.span
  }

  /** Returns the span from the start of `start` to the end of the previous token. */
  since(start: Span): Span {
    return joinSpans(start, this.last())
  }

  shown(token: { readonly span: Span }): { readonly text: string; readonly span: Span } {
    return { text: this.text.slice(token.span.start, token.span.end), span: token.span }
  }

  isSign(sign: Sign): boolean {
    return isSign(this.peek(), sign)
  }

  takeSign(sign: Sign): Span | undefined {
    if (!this.isSign(sign)) return undefined
    this.at++
    return this.last()
  }

  expectSign(sign: Sign, expected: string): Span {
    return this.takeSign(sign) ?? this.nothing(expected)
  }

  /** Parses the content of parentheses. */
  enclosed<T>(expected: string, content: () => T): T {
    const open = this.expectSign('(', expected)
    const found = content()
    this.close(')', open)
    return found
  }

  close(sign: ')' | ']', open: Span): Span {
    const closed = this.takeSign(sign)
    if (closed !== undefined) return closed
    const token = this.peek()
    const before = this.tokens[this.at - 1]
    if (token.kind === 'name' && before?.kind === 'name' && before.text === 'distinct') {
      const help = 'distinct values are counted by `dcount(user)`'
      throw new Stop(languageProblem.otherLanguage({ ...before, name: 'distinct' }, help))
    }
    const opened = sign === ')' ? '(' : '['
    if (token.kind === 'end' || this.isSign('|')) {
      throw new Stop(syntaxProblem.unclosedBracket(open, opened))
    }
    const isList = token.kind === 'literal' && before?.kind === 'literal'
    return this.nothing(isList ? `\`,\` or \`${sign}\`` : `\`${sign}\``)
  }

  isWord(word: string): boolean {
    const token = this.peek()
    return token.kind === 'name' && token.text === word
  }

  takeWord<W extends string>(...words: readonly W[]): W | undefined {
    const word = words.find((one) => this.isWord(one))
    if (word !== undefined) this.at++
    return word
  }

  expectWord<W extends string>(...words: readonly W[]): W {
    const expected = words.map((word) => `\`${word}\``).join(' or ')
    return this.takeWord(...words) ?? this.nothing(expected)
  }

  /** Setting : Name `=`; consumes it and returns true if the setting of that name is next. */
  takeSetting(name: string): boolean {
    if (!this.isWord(name) || !isSign(this.tokens[this.at + 1], '=')) return false
    this.at += 2
    return true
  }

  string(expected: string): string {
    const text = textOf(this.peek()) ?? this.nothing(expected)
    this.at++
    return text
  }

  /** AnyName : Name | QuotedName */
  anyName(): Identifier {
    return this.isQuotedName() ? this.quotedName() : this.name()
  }

  name(expected = 'a name'): Identifier {
    const token = this.peek()
    if (token.kind !== 'name' || !isPlainName(token.text)) return this.nothing(expected)
    this.at++
    return { name: token.text, span: token.span }
  }

  /** Consumes the required `by` of an operator. */
  expectBy(operator: Identifier): void {
    if (this.takeWord('by') !== undefined) return
    const next = this.peek()
    const key = isSign(next, '-', '+') ? this.tokens[this.at + 1]! : next
    throw new Stop(syntaxProblem.missingBy(this.shown(key), operator))
  }

  nothing(expected: string): never {
    const found = syntaxProblem.unexpected(this.shown(this.peek()), expected)
    throw new Stop(this.isSecondString() ? syntaxProblem.withDoubledQuote(found) : found)
  }

  /** Returns true for a string right after another one: `'it''s'`. */
  isSecondString(): boolean {
    const [before, token] = [this.tokens[this.at - 1], this.peek()]
    return isString(before) && isString(token) && before?.span.end === token.span.start
  }

  /** Throws `Stop` for a comment of SQL: `-- errors`. */
  refuseDashes(): void {
    const [first, second] = [this.peek(), this.tokens[this.at + 1]]
    if (!isSign(first, '-') || !isSign(second, '-')) return
    throw new Stop(syntaxProblem.commentOfSql(joinSpans(first.span, second!.span)))
  }

  isQuotedName(): boolean {
    const [open, text, close] = this.tokens.slice(this.at, this.at + 3)
    const quoted = text?.kind === 'literal' && text.type === 'string'
    return isSign(open, '[') && quoted && isSign(close, ']')
  }

  /** QuotedName : `[` String `]` */
  quotedName(): Identifier {
    const open = this.expectSign('[', '`[`')
    const token = this.peek()
    if (token.kind === 'name') throw new Stop(syntaxProblem.unquotedBracketName(token))
    const name = this.string('a quoted name')
    this.close(']', open)
    return { name, span: this.since(open) }
  }

  /** OperatorWord : Name ( `-` Name )*, without spaces */
  operatorWord(): Identifier | undefined {
    const first = this.peek()
    if (first.kind !== 'name') return undefined
    let end = this.at + 1
    let span = first.span
    for (;;) {
      const dash = this.tokens[end]
      const name = this.tokens[end + 1]
      if (!isSign(dash, '-') || dash?.span.start !== span.end) break
      if (name?.kind !== 'name' || name.span.start !== dash.span.end) break
      span = joinSpans(span, name.span)
      end += 2
    }
    return { name: this.text.slice(span.start, span.end), span }
  }

  /** Throws `Stop` for an infix operator of another language. */
  refuseHabit(token: Token): void {
    if (token.kind !== 'name' && token.kind !== 'sign') return
    const word = token.text.toLowerCase()
    if (word !== token.text && isInfixWord(word)) {
      throw new Stop(languageProblem.wrongCase(token.span, token.text))
    }
    if (!Object.hasOwn(INFIX_HABITS, word)) return
    throw new Stop(
      languageProblem.otherLanguage({ ...token, name: token.text }, INFIX_HABITS[word]),
    )
  }
}

function isString(token: Token | undefined): boolean {
  return token?.kind === 'literal' && token.type === 'string'
}

/** Returns false for words that need quotes as a name: where a value is expected, such a word shows that the value is missing. */
function isPlainName(text: string): boolean {
  return !['and', 'or', 'by'].includes(text) && !text.startsWith('!') && !text.endsWith('~')
}

function isInfixWord(word: string): boolean {
  return isBinaryOperator(word) || isMembershipOperator(word) || /^!?(between|matches)$/.test(word)
}
