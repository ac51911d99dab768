import { isInt64 } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import { joinSpans, type Span } from '../../text/span.js'
import {
  CALL_HABIT,
  FUNCTION_HABITS,
  INFIX_HABITS,
  INTERVAL_HABIT,
  LEADING_DOT_HABIT,
  LIST_OF_NAMES_HABIT,
  METHOD_HABIT,
  QUERY_FUNCTION_HABITS,
} from '../problem/habits.js'
import * as languageProblem from '../problem/language.js'
import * as literalProblem from '../problem/literal.js'
import * as syntaxProblem from '../problem/syntax.js'
import type {
  Assignment,
  BinaryOperator,
  Expression,
  Identifier,
  Literal,
  MembershipOperator,
  Pipeline,
  Side,
  Subquery,
} from '../syntax/ast.js'
import { LONG_CHAIN, operandsOf } from '../syntax/operands.js'
import type { Token } from '../syntax/token.js'
import {
  isBinaryOperator,
  isMembershipOperator,
  PRECEDENCE,
  precedenceOf,
} from '../syntax/words.js'
import { Cursor, MAX_DEPTH, Stop } from './cursor.js'
import { assignedName } from './name.js'
import { isTabular } from './tabular.js'

/** Parses expressions; the productions of operators, sources and statements use it. */
export abstract class ExpressionParser extends Cursor {
  /** The height of each parsed expression: a long chain of `or` is as deep as it is long. */
  private readonly heights = new WeakMap<Expression, number>()
  /** Builds the test for `field:"term"`; defined only inside `search`. */
  termTest: TermTest | undefined

  /** The height of the tallest expression in the current pipeline; an expression around the pipeline is at least as tall. */
  private tallest = 0

  /** Parses a nested pipeline up to the token that ends it, which is not consumed. */
  abstract nested(): Pipeline

  /**
   * Expression : Or
   * Or : And ( `or` And )*
   * And : Comparison ( `and` Comparison )*
   * Comparison : Sum ( ComparisonOperator Sum | Membership | Between )?
   * Sum : Product ( ( `+` | `-` ) Product )*
   * Product : Unary ( ( `*` | `/` | `%` ) Unary )*
   *
   * Precedence climbing: `minimum` is the lowest precedence accepted here.
   */
  expression(minimum = 0): Expression {
    this.descend()
    let left = this.unary()
    let compared = false
    for (;;) {
      const infix = this.infix()
      if (infix === undefined || infix.precedence < minimum) break
      const comparison = infix.precedence === PRECEDENCE.comparison
      if (comparison && compared) throw new Stop(syntaxProblem.chainedComparison(infix.span))
      left = this.infixed(left, infix)
      compared = comparison
    }
    this.ascend()
    return left
  }

  /** Assignments : Assignment ( `,` Assignment )* */
  assignments(): readonly Assignment[] {
    return this.list(() => this.assignment())
  }

  /** Assignment : ( AssignedName `=` )? Expression */
  assignment(): Assignment {
    const name = assignedName(this)
    const start = name ?? this.peek()
    const value = this.expression()
    return { name, value, span: this.since(start.span) }
  }

  /** Returns the infix operator at this position without consuming it. */
  private infix(): Infix | undefined {
    const token = this.peek()
    if (token.kind !== 'name' && token.kind !== 'sign') return undefined
    const { text, span } = token
    const one = (
      operator: Infix['operator'],
      precedence: number = PRECEDENCE.comparison,
    ): Infix => {
      return { operator, precedence, span, tokens: 1 }
    }
    if (text === '<>') return one('!=')
    if (text === 'matches' || text === '!matches') return this.regexInfix(text, span)
    if (isBinaryOperator(text)) return one(text, precedenceOf(text))
    if (isMembershipOperator(text) || text === 'between' || text === '!between') return one(text)
    if (text === ':' && this.termTest !== undefined) return one(text)
    this.refuseHabit(token)
    return undefined
  }

  private regexInfix(word: 'matches' | '!matches', span: Span): Infix {
    const regex = this.tokens[this.at + 1]
    if (regex?.kind !== 'name' || regex.text !== 'regex') {
      throw new Stop(syntaxProblem.missingRegex(this.shown(regex ?? this.peek())))
    }
    return {
      operator: `${word} regex`,
      precedence: PRECEDENCE.comparison,
      span: joinSpans(span, regex.span),
      tokens: 2,
    }
  }

  private infixed(left: Expression, infix: Infix): Expression {
    this.at += infix.tokens
    const { operator, span: operatorSpan } = infix
    if (operator === 'between' || operator === '!between') {
      return this.between(left, { negated: operator === '!between', operatorSpan })
    }
    if (isMembershipOperator(operator)) return this.membership(left, operator, operatorSpan)
    if (operator === 'and' || operator === 'or') return this.chain(left, { ...infix, operator })
    const right = this.expression(infix.precedence + 1)
    if (operator === ':') return this.termTest?.(left, right, operatorSpan) ?? left
    const span = joinSpans(left.span, right.span)
    return this.made({ kind: 'binary', operator, left, right, operatorSpan, span })
  }

  /** Parses the other operands of `a or b or …`, of which the first operator has been read. */
  private chain(first: Expression, infix: Infix & { readonly operator: 'and' | 'or' }): Expression {
    const { operator, precedence } = infix
    const operands = [first]
    const spans: Span[] = []
    let next: Infix | undefined = infix
    for (; next?.operator === operator; next = this.infix()) {
      if (spans.length > 0) this.at += next.tokens
      spans.push(next.span)
      operands.push(this.expression(precedence + 1))
    }
    return this.chained(operator, { operands, spans })
  }

  /** Long chains, which scripts write, become trees whose height is far below their length. */
  private chained(operator: 'and' | 'or', { operands, spans }: Chain): Expression {
    const from = (start: number, end: number): Expression => {
      if (end - start === 1) return operands[start]!
      const middle = end - start > LONG_CHAIN ? (start + end) >> 1 : end - 1
      const [left, right] = [from(start, middle), from(middle, end)]
      const [operatorSpan, span] = [spans[middle - 1]!, joinSpans(left.span, right.span)]
      return this.made({ kind: 'binary', operator, left, right, operatorSpan, span })
    }
    return from(0, operands.length)
  }

  /** Membership : ( `in` | `!in` | `in~` | `!in~` | `has_any` | `has_any_cs` ) `(` ( Subquery | Expression ( `,` Expression )* ) `)` */
  private membership(
    value: Expression,
    operator: MembershipOperator,
    operatorSpan: Span,
  ): Expression {
    const open = this.takeSign('(') ?? this.noParentheses(operator, '(200, 204)')
    const list = isTabular(this) ? [this.subquery()] : this.list(() => this.expression())
    const span = joinSpans(value.span, this.close(')', open))
    return this.made({ kind: 'membership', operator, value, list, operatorSpan, span })
  }

  /** Subquery : Pipeline */
  private subquery(): Subquery {
    const outside = this.tallest
    this.tallest = 0
    const pipeline = this.nested()
    const node = { kind: 'subquery', pipeline, span: pipeline.span } as const
    this.heights.set(node, this.tallest + 1)
    this.tallest = Math.max(outside, this.tallest)
    return node
  }

  /** Between : ( `between` | `!between` ) `(` Expression `..` Expression `)` */
  private between(
    value: Expression,
    { negated, operatorSpan }: { readonly negated: boolean; readonly operatorSpan: Span },
  ): Expression {
    const open = this.takeSign('(') ?? this.noParentheses('between', '(1 .. 5)')
    const low = this.expression()
    if (this.takeSign('..') === undefined) {
      throw new Stop(syntaxProblem.withoutUpperBound(this.shown(this.peek())))
    }
    const high = this.expression()
    const span = joinSpans(value.span, this.close(')', open))
    return this.made({ kind: 'between', negated, value, low, high, operatorSpan, span })
  }

  /** Unary : ( `-` | `+` | `not` ) Unary | Postfix */
  private unary(): Expression {
    const token = this.peek()
    const operator = this.unaryOperator()
    if (operator === undefined) return this.postfix()
    this.at++
    const number = this.peek()
    const signed = operator === '-' && number.kind === 'literal' && isNumber(number)
    if (signed) return this.negative(token.span, number)
    this.descend()
    // In a `search`, `not` applies to a whole condition: `not method:"get"`.
    const isTerm = operator === 'not' && this.termTest !== undefined
    const operand = isTerm ? this.expression(PRECEDENCE.comparison) : this.unary()
    this.ascend()
    const span = joinSpans(token.span, this.last())
    return this.made({ kind: 'unary', operator, operand, span })
  }

  private unaryOperator(): '-' | '+' | 'not' | undefined {
    if (this.isWord('not')) return 'not'
    if (this.isSign('-')) return '-'
    if (this.isSign('+')) return '+'
    const token = this.peek()
    if (token.kind === 'name' && token.text === 'NOT') {
      throw new Stop(languageProblem.wrongCase(token.span, token.text))
    }
    if (this.isSign('!')) throw new Stop(languageProblem.exclamationMark(token.span))
    if (this.isSign('.')) {
      const dot = { name: '.', span: token.span }
      throw new Stop(languageProblem.otherLanguage(dot, LEADING_DOT_HABIT))
    }
    return undefined
  }

  private negative(sign: Span, number: Literal): Literal {
    this.at++
    const span = joinSpans(sign, number.span)
    const value = number.value
    if (typeof value === 'number') return { ...number, value: -value, span }
    const negated = -BigInt(value ?? 0)
    // The digits of the smallest integer, without the sign, are out of range.
    if (!isInt64(negated)) this.tooLarge(span)
    return { ...number, value: negated, span }
  }

  private tooLarge(span: Span): never {
    throw new Stop(literalProblem.numberTooLarge(this.shown({ span })))
  }

  /** Postfix : Primary ( `.` Name | `[` Expression `]` )* */
  private postfix(): Expression {
    let value = this.primary()
    for (;;) {
      if (this.takeSign('.') !== undefined) {
        if (this.isSign('[')) this.nothing('a member name, or an index without the dot')
        const member = this.name('a member name')
        if (this.isSign('(')) {
          const help = ownValue(FUNCTION_HABITS, member.name) ?? METHOD_HABIT
          throw new Stop(languageProblem.otherLanguage(member, help))
        }
        const span = joinSpans(value.span, member.span)
        value = this.made({ kind: 'member', value, member, span })
      } else if (this.isSign('[')) {
        const open = this.expectSign('[', '`[`')
        const index = this.expression()
        const span = joinSpans(value.span, this.close(']', open))
        value = this.made({ kind: 'index', value, index, span })
      } else return value
    }
  }

  /** Primary : Literal | Call | Name | Side | `(` Expression `)` | `*` */
  private primary(): Expression {
    const token = this.peek()
    if (token.kind === 'literal') {
      const tooLarge = typeof token.value === 'bigint' && !isInt64(token.value)
      if (tooLarge && token.type === 'int') this.tooLarge(token.span)
      this.at++
      if (isNumber(token)) this.refuseUnit(token)
      return token
    }
    if (token.kind === 'name' || this.isQuotedName()) return this.nameOrCall()
    const star = this.takeSign('*')
    if (star !== undefined) return { kind: 'star', span: star }
    if (this.isSign('(')) return this.parenthesized()
    if (this.isSign('$')) return this.side()
    if (this.isSign('[') || this.isSign('{')) throw new Stop(syntaxProblem.bareDynamic(token.span))
    if (this.isSign('/')) {
      throw new Stop(languageProblem.otherLanguage({ ...token, name: '/' }, INFIX_HABITS.regex))
    }
    return this.nothing('a value')
  }

  /** Throws `Stop` for a unit after a number: `1 hour`. */
  private refuseUnit({ span }: Literal): void {
    const unit = this.peek()
    if (unit.kind !== 'name' || !UNIT.test(unit.text)) return
    const whole = this.shown({ span: joinSpans(span, unit.span) })
    const written = { name: whole.text, span: whole.span }
    throw new Stop(languageProblem.otherLanguage(written, INTERVAL_HABIT))
  }

  /** Side : `$left` | `$right` */
  private side(): Side {
    const sign = this.expectSign('$', '`$`')
    const word = this.peek()
    if (word.kind !== 'name' || (word.text !== 'left' && word.text !== 'right')) {
      return this.nothing('`left` or `right`')
    }
    this.at++
    return { kind: 'side', side: word.text, span: joinSpans(sign, word.span) }
  }

  private parenthesized(): Expression {
    const before = this.tokens[this.at - 1]
    const open = this.expectSign('(', '`(`')
    const value = this.expression()
    if (before !== undefined && this.isSign(',')) this.refuseList(before, open)
    this.close(')', open)
    return value
  }

  /** Throws `Stop` for a list in parentheses, of values after a comparison or of columns. */
  private refuseList(before: Token, open: Span): never {
    const operator = this.shown(before)
    const { text } = operator
    if (isBinaryOperator(text) && precedenceOf(text) === PRECEDENCE.comparison) {
      throw new Stop(languageProblem.listOfValues(operator))
    }
    throw new Stop(languageProblem.otherLanguage({ name: '(', span: open }, LIST_OF_NAMES_HABIT))
  }

  /** Call : Identifier `(` ( Expression ( `,` Expression )* )? `)` */
  private nameOrCall(): Expression {
    const quoted = this.isSign('[')
    const name = quoted ? this.quotedName() : this.name('a value')
    if (!quoted && this.peek().kind === 'literal') refuseWordBeforeValue(name)
    const word = quoted ? undefined : wordLiteral(name)
    if (word !== undefined || !this.isSign('(')) return word ?? { kind: 'name', ...name }
    const habit = ownValue(QUERY_FUNCTION_HABITS, name.name)
    if (habit !== undefined) throw new Stop(languageProblem.otherLanguage(name, habit))
    const open = this.expectSign('(', '`(`')
    const names = new Map<number, Identifier>()
    const values = this.isSign(')') ? [] : this.callArguments(name, names)
    const span = joinSpans(name.span, this.close(')', open))
    const call = { kind: 'call', function: name, arguments: values, span } as const
    return this.made(names.size > 0 ? { ...call, names } : call)
  }

  /** Arguments : Argument ( `,` Argument )*, where Argument : ( Name `=` )? Expression in `arg_max` and `arg_min` */
  private callArguments(
    { name }: Identifier,
    names: Map<number, Identifier>,
  ): readonly Expression[] {
    let position = 0
    return this.list(() => {
      const given = NAMING.includes(name) ? assignedName(this) : undefined
      if (given !== undefined) names.set(position, given)
      position++
      return this.expression()
    })
  }

  private noParentheses(operator: string, example: string): never {
    const token = this.peek()
    const { span } = this.shown(token)
    const isName = token.kind === 'name'
    throw new Stop(syntaxProblem.missingParentheses(span, operator, { example, isName }))
  }

  private made<T extends Expression>(node: T): T {
    const heights = operandsOf(node).map((operand) => this.heights.get(operand) ?? 1)
    const height = 1 + heights.reduce((most, one) => Math.max(most, one), 0)
    if (height > MAX_DEPTH) throw new Stop(syntaxProblem.tooDeep(node.span))
    this.heights.set(node, height)
    this.tallest = Math.max(this.tallest, height)
    return node
  }
}

interface Chain {
  readonly operands: readonly Expression[]
  /** The positions of the operators between them. */
  readonly spans: readonly Span[]
}

/** Builds the condition that a term occurs in a field. */
type TermTest = (field: Expression, term: Expression, operatorSpan: Span) => Expression

interface Infix {
  readonly operator: BinaryOperator | MembershipOperator | 'between' | '!between' | ':'
  readonly precedence: number
  readonly span: Span
  readonly tokens: number
}

const UNIT = /^(?:[dhms]|ms|(?:sec|second|min|minute|hour|day|week|month|year)s?)$/i

/** Throws `Stop` for the first word of `interval 1 day` and of `ago 1h`. */
function refuseWordBeforeValue(word: Identifier): void {
  const help = ownValue(WORDS_BEFORE_VALUES, word.name.toLowerCase())
  if (help !== undefined) throw new Stop(languageProblem.otherLanguage(word, help))
}

const WORDS_BEFORE_VALUES: Readonly<Record<string, string>> = {
  ago: CALL_HABIT,
  interval: INTERVAL_HABIT,
}

function isNumber(token: Literal): boolean {
  return /^(int|real|timespan)$/.test(token.type) && token.value !== null
}

/** The functions with named arguments. */
const NAMING: readonly string[] = ['arg_max', 'arg_min']

const WORD_LITERALS = { true: true, false: false, null: null } as const

function wordLiteral({ name, span }: Identifier): Literal | undefined {
  if (name !== 'true' && name !== 'false' && name !== 'null') return undefined
  const type = name === 'null' ? 'dynamic' : 'bool'
  return { kind: 'literal', type, value: WORD_LITERALS[name], span }
}
