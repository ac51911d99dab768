import type { Problem } from '../text/problem.js'
import { join, type Span } from '../text/span.js'
import { closest } from '../text/suggest.js'
import { isDatasetName } from '../wire/dataset-name.js'
import type {
  Assignment,
  BinaryOperator,
  Expression,
  Identifier,
  Literal,
  MembershipOperator,
  NamePattern,
  Operator,
  Query,
  SortKey,
  Source,
} from './ast.js'
import { INFIX_HABITS, OPERATOR_HABITS, SQL_WORDS } from './habits.js'
import { INT_MOST, lex } from './lexer.js'
import { OPERATORS_NOT_YET, SOURCES_NOT_YET } from './not-yet.js'
import * as problem from './problems.js'
import type { LiteralToken, NameToken, Sign, Token } from './token.js'
import {
  isBinaryOperator,
  isMembershipOperator,
  isOperatorWord,
  OPERATOR_WORDS,
  type OperatorWord,
  PRECEDENCE,
  precedenceOf,
} from './words.js'

/** A text's tree as far as it could be read, and everything in it that could not. */
export interface Parsed {
  /** Undefined when it could not be read. */
  readonly source?: Source
  readonly steps: readonly Step[]
  readonly problems: readonly Problem[]
}

/** An operator, or what stands where one could not be read. */
export type Step = Operator | Broken

export interface Broken {
  readonly kind: 'broken'
  /** Whether the operator, had it been right, would have left the columns as they are. */
  readonly keepsColumns: boolean
}

/** How deep expressions may be nested: every walk over a tree is recursive, and stacks end. */
const MOST_DEPTH = 500

const COLUMN_KEEPERS: readonly OperatorWord[] = ['where', 'sort', 'order', 'limit', 'take', 'top']

/** Reads a query's text into its tree, going on behind the next `|` where a step cannot be read. */
export function parse(text: string): Parsed {
  const { tokens, problems } = lex(text)
  return problems.length > 0 ? { steps: [], problems } : new Parser(text, tokens).query()
}

/** The tree when all of it could be read. */
export function queryOf({ source, steps, problems }: Parsed): Query | undefined {
  const operators = steps.filter((step) => step.kind !== 'broken')
  if (source === undefined || problems.length > 0) return undefined
  const last = operators.at(-1) ?? source
  return { source, operators, span: join(source.span, last.span) }
}

/** Ends the step at hand with a problem; never leaves this file. */
class Stop extends Error {
  readonly problem: Problem

  constructor(found: Problem) {
    super(found.message)
    this.problem = found
  }
}

class Parser {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0
  /** The height of each expression made: a long chain of `or` is as deep as it is long. */
  private readonly heights = new WeakMap<Expression, number>()
  private readonly problems: Problem[] = []

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.tokens = tokens
  }

  /** Query : Source ( `|` Operator )* `;`? */
  query(): Parsed {
    const source = this.guarded(() => {
      const found = this.source()
      this.expectStepEnd()
      return found
    })
    const steps: Step[] = []
    while (this.problems.length < problem.MOST_PROBLEMS && this.takeSign('|') !== undefined) {
      steps.push(this.step())
    }
    return { ...(source && { source }), steps, problems: this.problems }
  }

  /** Source : `[` String `]` | Name */
  private source(): Source {
    const token = this.peek()
    if (token.kind === 'end') throw new Stop(problem.emptyQuery(token.span))
    if (this.isSign('[')) {
      const { name, span } = this.quotedName()
      return { kind: 'dataset', name, span }
    }
    if (token.kind === 'literal' && typeof token.value === 'string') {
      throw new Stop(problem.unquotedDataset(token.value, token.span))
    }
    if (token.kind !== 'name') throw new Stop(problem.missingSource(token.span))
    return this.bareSource(token)
  }

  private bareSource(token: NameToken): Source {
    const after = this.tokens[this.at + 1]
    const alone = after?.kind === 'end' || (after?.kind === 'sign' && after.text === '|')
    const word = token.text
    if (!alone && SQL_WORDS.includes(word.toLowerCase())) throw new Stop(problem.sql(token.span))
    if (!alone && SOURCES_NOT_YET.includes(word)) {
      throw new Stop(problem.notSupported({ what: word, span: token.span }))
    }
    if (!alone && isOperatorWord(word)) throw new Stop(problem.missingSource(token.span))
    const written = this.unbroken(token)
    if (written.end > token.span.end) {
      const text = this.text.slice(written.start, written.end)
      if (isDatasetName(text)) throw new Stop(problem.unquotedDataset(text, written))
    }
    this.at++
    return { kind: 'dataset', name: word, span: token.span }
  }

  /** The stretch of names, dots and dashes that follow a token without a space. */
  private unbroken(token: NameToken): Span {
    let end = token.span.end
    for (let i = this.at + 1; this.tokens[i]?.span.start === end; i++) {
      const next = this.tokens[i]!
      const joins = next.kind === 'sign' ? /^[-.]$/.test(next.text) : next.kind !== 'end'
      if (!joins) break
      end = next.span.end
    }
    return { start: token.span.start, end }
  }

  private step(): Step {
    const start = this.at
    const word = this.operatorWord()
    const operator = this.guarded(() => {
      const found = this.operator(word)
      this.expectStepEnd()
      return found
    }, start)
    const keepsColumns = COLUMN_KEEPERS.some((keeper) => keeper === word?.name)
    return operator ?? { kind: 'broken', keepsColumns }
  }

  /** Runs a production; when it stops, notes the problem and goes to the next `|`. */
  private guarded<T>(production: () => T, start = this.at): T | undefined {
    this.depth = 0
    try {
      return production()
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      this.problems.push(error.problem)
      this.skipStep(start)
      return undefined
    }
  }

  /** Goes to the `|` behind the step that began at `start`; one within its parentheses is not that. */
  private skipStep(start: number): void {
    let open = 0
    for (let i = start; i < this.tokens.length; i++) {
      const token = this.tokens[i]!
      if (token.kind === 'sign' && /^[([]$/.test(token.text)) open++
      if (token.kind === 'sign' && /^[)\]]$/.test(token.text)) open--
      const isPipe = token.kind === 'sign' && token.text === '|' && open <= 0
      if (isPipe && i >= this.at) {
        this.at = i
        return
      }
    }
    this.at = this.tokens.length - 1
  }

  /** After a source or an operator: `|`, or `;` and the end. */
  private expectStepEnd(): void {
    if (this.isSign(';') && this.tokens[this.at + 1]?.kind === 'end') this.at++
    const token = this.peek()
    if (token.kind === 'end' || this.isSign('|')) return
    if (this.isSign(';')) throw new Stop(problem.notSupported({ what: ';', span: token.span }))
    if (this.isSign(')')) throw new Stop(problem.unopenedBracket(')', token.span))
    if (this.isSign(']')) throw new Stop(problem.unopenedBracket(']', token.span))
    this.refuseHabit(token)
    const word = this.operatorWord()
    if (word !== undefined && [...OPERATOR_WORDS, ...OPERATORS_NOT_YET].includes(word.name)) {
      throw new Stop(problem.missingPipe(word))
    }
    throw new Stop(problem.unexpected(this.shown(token), '`|` or the end of the query'))
  }

  /** OperatorWord : Name ( `-` Name )*, without spaces */
  private operatorWord(): Identifier | undefined {
    const first = this.peek()
    if (first.kind !== 'name') return undefined
    let end = this.at + 1
    let span = first.span
    for (;;) {
      const dash = this.tokens[end]
      const name = this.tokens[end + 1]
      if (dash?.kind !== 'sign' || dash.text !== '-' || dash.span.start !== span.end) break
      if (name?.kind !== 'name' || name.span.start !== dash.span.end) break
      span = join(span, name.span)
      end += 2
    }
    return { name: this.text.slice(span.start, span.end), span }
  }

  /** Operator : Where | Extend | Project | ProjectAway | Summarize | Sort | Limit | Top | Count | Distinct */
  private operator(word: Identifier | undefined): Operator {
    if (word === undefined) throw new Stop(this.noOperator())
    if (!isOperatorWord(word.name)) throw new Stop(unknownOperator(word))
    while (this.peek().span.end <= word.span.end && this.peek().kind !== 'end') this.at++
    switch (word.name) {
      case 'where':
        return this.where(word)
      case 'extend':
      case 'project':
        return this.assigning(word.name, word)
      case 'project-away':
        return this.projectAway(word)
      case 'summarize':
        return this.summarize(word)
      case 'sort':
      case 'order':
        return this.sort(word)
      case 'limit':
      case 'take':
        return this.limit(word)
      case 'top':
        return this.top(word)
      case 'count':
        return this.count(word)
      case 'distinct':
        return this.distinct(word)
      default:
        return word.name satisfies never
    }
  }

  private noOperator(): Problem {
    const token = this.peek()
    if (token.kind === 'end' || this.isSign('|')) {
      return problem.missingOperator(this.last())
    }
    return problem.unexpected(this.shown(token), 'an operator')
  }

  /** Where : `where` Expression */
  private where(word: Identifier): Operator {
    const predicate = this.expression()
    return { kind: 'where', predicate, span: join(word.span, this.last()) }
  }

  /** Extend : `extend` Assignments · Project : `project` Assignments */
  private assigning(kind: 'extend' | 'project', word: Identifier): Operator {
    const assignments = this.assignments()
    return { kind, assignments, span: join(word.span, this.last()) }
  }

  /** ProjectAway : `project-away` NamePattern ( `,` NamePattern )* */
  private projectAway(word: Identifier): Operator {
    const patterns = this.list(() => this.namePattern())
    return { kind: 'project-away', patterns, span: join(word.span, this.last()) }
  }

  /** Summarize : `summarize` Assignments ( `by` Assignments )? | `summarize` `by` Assignments */
  private summarize(word: Identifier): Operator {
    const aggregates = this.isWord('by') ? [] : this.assignments()
    const by = this.takeWord('by') === undefined ? [] : this.assignments()
    return { kind: 'summarize', aggregates, by, span: join(word.span, this.last()) }
  }

  /** Sort : ( `sort` | `order` ) `by` SortKey ( `,` SortKey )* */
  private sort(word: Identifier): Operator {
    this.expectBy(word)
    const keys = this.list(() => this.sortKey())
    return { kind: 'sort', keys, span: join(word.span, this.last()) }
  }

  /** Limit : ( `limit` | `take` ) Expression */
  private limit(word: Identifier): Operator {
    const count = this.expression()
    return { kind: 'limit', count, span: join(word.span, this.last()) }
  }

  /** Top : `top` Expression `by` SortKey */
  private top(word: Identifier): Operator {
    const count = this.isWord('by') ? this.nothing('a number of rows') : this.expression()
    this.expectBy(word)
    const key = this.sortKey()
    return { kind: 'top', count, key, span: join(word.span, this.last()) }
  }

  /** Count : `count` */
  private count(word: Identifier): Operator {
    if (this.isSign('(')) throw new Stop(problem.countWithParentheses(this.peek().span))
    return { kind: 'count', span: word.span }
  }

  /** Distinct : `distinct` Expression ( `,` Expression )* */
  private distinct(word: Identifier): Operator {
    const keys = this.list(() => this.expression())
    return { kind: 'distinct', keys, span: join(word.span, this.last()) }
  }

  private expectBy(word: Identifier): void {
    if (this.takeWord('by') === undefined) {
      throw new Stop(problem.missingBy(word, this.shown(this.peek())))
    }
  }

  /** Assignments : Assignment ( `,` Assignment )* */
  private assignments(): readonly Assignment[] {
    return this.list(() => this.assignment())
  }

  /** Assignment : ( AssignedName `=` )? Expression */
  private assignment(): Assignment {
    const name = this.assignedName()
    const start = name ?? this.peek()
    const value = this.expression()
    return { ...(name && { name }), value, span: join(start.span, this.last()) }
  }

  /** AssignedName : Name ( `.` Name )* | `[` String `]` | String, when `=` follows */
  private assignedName(): Identifier | undefined {
    const start = this.at
    const name = this.columnName()
    if (name !== undefined && this.takeSign('=') !== undefined) return name
    this.at = start
    return undefined
  }

  private columnName(): Identifier | undefined {
    const token = this.peek()
    if (token.kind === 'literal' && typeof token.value === 'string') {
      this.at++
      return token.type === 'string' ? { name: token.value, span: token.span } : undefined
    }
    if (this.isQuotedName()) return this.quotedName()
    if (token.kind !== 'name') return undefined
    const parts = [this.name()]
    while (this.isSign('.') && this.tokens[this.at + 1]?.kind === 'name') {
      this.at++
      parts.push(this.name())
    }
    return {
      name: parts.map((part) => part.name).join('.'),
      span: join(parts[0]!.span, this.last()),
    }
  }

  /** NamePattern : ( Name | `[` String `]` | `*` | `.` )+, without spaces */
  private namePattern(): NamePattern {
    const start = this.peek().span
    let pattern = ''
    do {
      const token = this.peek()
      if (this.isQuotedName()) pattern += this.quotedName().name
      else if (token.kind === 'name') pattern += this.name().name
      else if (this.takeSign('*') !== undefined) pattern += '*'
      else if (pattern !== '' && this.takeSign('.') !== undefined) pattern += '.'
      else throw new Stop(problem.unexpected(this.shown(token), 'the name of a column'))
    } while (this.peek().span.start === this.last().end && !this.isListEnd())
    return { pattern, span: join(start, this.last()) }
  }

  private isListEnd(): boolean {
    return this.peek().kind === 'end' || this.isSign(',') || this.isSign('|') || this.isSign(';')
  }

  /** SortKey : Expression ( `asc` | `desc` )? ( `nulls` ( `first` | `last` ) )? */
  private sortKey(): SortKey {
    const start = this.peek().span
    const value = this.expression()
    const direction = this.takeWord('asc', 'desc')?.text
    const nulls = this.takeWord('nulls') && this.expectWord('first', 'last')
    const shouted = this.peek()
    if (shouted.kind === 'name' && /^(ASC|DESC|NULLS)$/.test(shouted.text)) {
      throw new Stop(problem.wrongCase(shouted.text, shouted.span))
    }
    return {
      value,
      ...(direction && { direction }),
      ...(nulls && { nulls: nulls.text }),
      span: join(start, this.last()),
    }
  }

  /**
   * Expression : Or
   * Or : And ( `or` And )*
   * And : Comparison ( `and` Comparison )*
   * Comparison : Sum ( ComparisonOperator Sum | Membership | Between )?
   * Sum : Product ( ( `+` | `-` ) Product )*
   * Product : Unary ( ( `*` | `/` | `%` ) Unary )*
   *
   * All of these in one loop: `minimum` is the loosest operator that may be taken here.
   */
  private expression(minimum = 0): Expression {
    this.descend()
    let left = this.unary()
    let compared = false
    for (;;) {
      const infix = this.infix()
      if (infix === undefined || infix.precedence < minimum) break
      const comparison = infix.precedence === PRECEDENCE.comparison
      if (comparison && compared) throw new Stop(problem.chainedComparison(infix.span))
      left = this.infixed(left, infix)
      compared = comparison
    }
    this.depth--
    return left
  }

  /** The operator that stands here, between two values; nothing is taken. */
  private infix(): Infix | undefined {
    const token = this.peek()
    if (token.kind !== 'name' && token.kind !== 'sign') return undefined
    const text = token.text
    const span = token.span
    if (text === '<>') return { operator: '!=', precedence: PRECEDENCE.comparison, span, tokens: 1 }
    if (text === 'matches' || text === '!matches') return this.regexInfix(text, token.span)
    if (isBinaryOperator(text)) {
      return { operator: text, precedence: precedenceOf(text), span, tokens: 1 }
    }
    if (isMembershipOperator(text) || text === 'between' || text === '!between') {
      return { operator: text, precedence: PRECEDENCE.comparison, span, tokens: 1 }
    }
    this.refuseHabit(token)
    return undefined
  }

  private regexInfix(word: 'matches' | '!matches', span: Span): Infix {
    const regex = this.tokens[this.at + 1]
    if (regex?.kind !== 'name' || regex.text !== 'regex') {
      throw new Stop(problem.unexpected(this.shown(regex ?? this.peek()), '`regex`'))
    }
    return {
      operator: `${word} regex`,
      precedence: PRECEDENCE.comparison,
      span: join(span, regex.span),
      tokens: 2,
    }
  }

  /** A word or sign of another language, where an operator between two values would stand. */
  private refuseHabit(token: Token): void {
    if (token.kind !== 'name' && token.kind !== 'sign') return
    const word = token.text.toLowerCase()
    if (word !== token.text && isInfixWord(word)) {
      throw new Stop(problem.wrongCase(token.text, token.span))
    }
    if (!Object.hasOwn(INFIX_HABITS, word)) return
    const help = INFIX_HABITS[word]
    throw new Stop(problem.otherLanguage({ what: token.text, span: token.span, help }))
  }

  private infixed(left: Expression, infix: Infix): Expression {
    this.at += infix.tokens
    const { operator, span: operatorSpan } = infix
    if (operator === 'between' || operator === '!between') {
      return this.between(left, { negated: operator === '!between', operatorSpan })
    }
    if (isMembershipOperator(operator)) return this.membership(left, operator, operatorSpan)
    const right = this.expression(infix.precedence + 1)
    const span = join(left.span, right.span)
    return this.made({ kind: 'binary', operator, left, right, operatorSpan, span }, [left, right])
  }

  /** Membership : ( `in` | `!in` | `in~` | `!in~` | `has_any` | `has_any_cs` ) `(` Expression ( `,` Expression )* `)` */
  private membership(
    value: Expression,
    operator: MembershipOperator,
    operatorSpan: Span,
  ): Expression {
    const open = this.takeSign('(') ?? this.noParentheses(operator, '(200, 204)')
    const list = this.list(() => this.expression())
    if (this.isSign('|')) {
      throw new Stop(problem.notSupported({ what: 'a query in parentheses', span: open }))
    }
    const span = join(value.span, this.close(')', open))
    const children = [value, ...list]
    return this.made({ kind: 'membership', operator, value, list, operatorSpan, span }, children)
  }

  /** Between : ( `between` | `!between` ) `(` Expression `..` Expression `)` */
  private between(
    value: Expression,
    { negated, operatorSpan }: { readonly negated: boolean; readonly operatorSpan: Span },
  ): Expression {
    const open = this.takeSign('(') ?? this.noParentheses('between', '(1 .. 5)')
    const low = this.expression()
    this.expectSign('..', '`..` and the upper end')
    const high = this.expression()
    const span = join(value.span, this.close(')', open))
    return this.made({ kind: 'between', negated, value, low, high, operatorSpan, span }, [
      value,
      low,
      high,
    ])
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
    const operand = this.unary()
    this.depth--
    const span = join(token.span, this.last())
    return this.made({ kind: 'unary', operator, operand, span }, [operand])
  }

  private unaryOperator(): '-' | '+' | 'not' | undefined {
    if (this.isWord('not')) return 'not'
    if (this.isSign('-')) return '-'
    if (this.isSign('+')) return '+'
    const token = this.peek()
    if (token.kind === 'name' && token.text === 'NOT') {
      throw new Stop(problem.wrongCase(token.text, token.span))
    }
    if (this.isSign('!')) throw new Stop(problem.exclamationMark(token.span))
    return undefined
  }

  private negative(sign: Span, number: LiteralToken): Literal {
    this.at++
    const span = join(sign, number.span)
    const value = number.value
    if (typeof value === 'number') return this.literal({ ...number, value: -value, span })
    const negated = -BigInt(value ?? 0)
    // The least int has no positive counterpart: its digits alone would be too large.
    if (negated > INT_MOST || negated < -INT_MOST - 1n) this.tooLarge(span)
    return this.literal({ ...number, value: negated, span })
  }

  private tooLarge(span: Span): never {
    throw new Stop(problem.numberTooLarge(this.text.slice(span.start, span.end), span))
  }

  /** Postfix : Primary ( `.` Name | `[` Expression `]` )* */
  private postfix(): Expression {
    let value = this.primary()
    for (;;) {
      if (this.takeSign('.') !== undefined) {
        const member = this.expectName('the name of a part')
        const span = join(value.span, member.span)
        value = this.made({ kind: 'member', value, member, span }, [value])
      } else if (this.isSign('[')) {
        const open = this.expectSign('[', '`[`')
        const index = this.expression()
        const span = join(value.span, this.close(']', open))
        value = this.made({ kind: 'index', value, index, span }, [value, index])
      } else return value
    }
  }

  /** Primary : Literal | Call | Name | `(` Expression `)` | `*` */
  private primary(): Expression {
    const token = this.peek()
    if (token.kind === 'literal') {
      const tooLarge = typeof token.value === 'bigint' && token.value > INT_MOST
      if (tooLarge && token.type === 'int') this.tooLarge(token.span)
      this.at++
      return this.literal(token)
    }
    if (token.kind === 'name' || this.isQuotedName()) return this.nameOrCall()
    const star = this.takeSign('*')
    if (star !== undefined) return { kind: 'star', span: star }
    if (this.isSign('(')) return this.parenthesized()
    if (this.isSign('[') || this.isSign('{')) throw new Stop(problem.bareDynamic(token.span))
    return this.nothing('a value')
  }

  private parenthesized(): Expression {
    const open = this.expectSign('(', '`(`')
    const value = this.expression()
    this.close(')', open)
    return value
  }

  /** Call : Identifier `(` ( Expression ( `,` Expression )* )? `)` */
  private nameOrCall(): Expression {
    const quoted = this.isSign('[')
    const name = quoted ? this.quotedName() : this.expectName('a value')
    const word = quoted ? undefined : wordLiteral(name)
    if (word !== undefined || !this.isSign('(')) return word ?? { kind: 'name', ...name }
    const open = this.expectSign('(', '`(`')
    const values = this.isSign(')') ? [] : this.list(() => this.expression())
    const span = join(name.span, this.close(')', open))
    return this.made({ kind: 'call', function: name, arguments: values, span }, values)
  }

  private isQuotedName(): boolean {
    const [open, text, close] = this.tokens.slice(this.at, this.at + 3)
    const quoted = text?.kind === 'literal' && text.type === 'string'
    const bracket = (token: Token | undefined, sign: Sign) =>
      token?.kind === 'sign' && token.text === sign
    return bracket(open, '[') && quoted && bracket(close, ']')
  }

  /** QuotedName : `[` String `]` */
  private quotedName(): Identifier {
    const open = this.expectSign('[', '`[`')
    const token = this.peek()
    if (token.kind === 'name') throw new Stop(problem.unquotedBracketName(token))
    const quoted = token.kind === 'literal' && token.type === 'string' ? token.value : undefined
    if (typeof quoted !== 'string') {
      throw new Stop(problem.unexpected(this.shown(token), 'a name in quotes'))
    }
    this.at++
    return { name: quoted, span: join(open, this.close(']', open)) }
  }

  private literal({ type, value, span }: Omit<LiteralToken, 'kind'>): Literal {
    return { kind: 'literal', type, value, span }
  }

  private noParentheses(operator: string, example: string): never {
    throw new Stop(
      problem.missingParentheses({ operator, example, found: this.shown(this.peek()) }),
    )
  }

  private nothing(expected: string): never {
    throw new Stop(problem.unexpected(this.shown(this.peek()), expected))
  }

  // The vocabulary of the productions above.

  private list<T>(item: () => T): readonly T[] {
    const items = [item()]
    while (this.takeSign(',') !== undefined) items.push(item())
    return items
  }

  private made<T extends Expression>(node: T, children: readonly Expression[]): T {
    const heights = children.map((child) => this.heights.get(child) ?? 1)
    const height = 1 + heights.reduce((most, one) => Math.max(most, one), 0)
    if (height > MOST_DEPTH) throw new Stop(problem.tooDeep(node.span))
    this.heights.set(node, height)
    return node
  }

  private descend(): void {
    if (++this.depth > MOST_DEPTH) throw new Stop(problem.tooDeep(this.peek().span))
  }

  private peek(): Token {
    return this.tokens[this.at]!
  }

  /** The span of the token before this one. */
  private last(): Span {
    return this.tokens[this.at - 1]!.span
  }

  private shown(token: Token): { readonly text: string; readonly span: Span } {
    return { text: this.text.slice(token.span.start, token.span.end), span: token.span }
  }

  private isSign(sign: Sign): boolean {
    const token = this.peek()
    return token.kind === 'sign' && token.text === sign
  }

  private takeSign(sign: Sign): Span | undefined {
    if (!this.isSign(sign)) return undefined
    this.at++
    return this.last()
  }

  private expectSign(sign: Sign, expected: string): Span {
    return this.takeSign(sign) ?? this.nothing(expected)
  }

  private close(sign: ')' | ']', open: Span): Span {
    const closed = this.takeSign(sign)
    if (closed !== undefined) return closed
    const token = this.peek()
    const opened = sign === ')' ? '(' : '['
    if (token.kind === 'end' || this.isSign('|')) {
      throw new Stop(problem.unclosedBracket(opened, open))
    }
    return this.nothing(`\`${sign}\``)
  }

  private isWord(word: string): boolean {
    const token = this.peek()
    return token.kind === 'name' && token.text === word
  }

  private takeWord<W extends string>(...words: readonly W[]): { readonly text: W } | undefined {
    const text = words.find((word) => this.isWord(word))
    if (text === undefined) return undefined
    this.at++
    return { text }
  }

  private expectWord<W extends string>(...words: readonly W[]): { readonly text: W } {
    const expected = words.map((word) => `\`${word}\``).join(' or ')
    return this.takeWord(...words) ?? this.nothing(expected)
  }

  private name(): Identifier {
    return this.expectName('a name')
  }

  private expectName(expected: string): Identifier {
    const token = this.peek()
    if (token.kind !== 'name' || !isPlainName(token.text)) return this.nothing(expected)
    this.at++
    return { name: token.text, span: token.span }
  }
}

interface Infix {
  readonly operator: BinaryOperator | MembershipOperator | 'between' | '!between'
  readonly precedence: number
  readonly span: Span
  /** How many tokens it is made of. */
  readonly tokens: number
}

/** Words that cannot be a name without quotes: where one stands for a value, a value is missing. */
function isPlainName(text: string): boolean {
  return !['and', 'or', 'by'].includes(text) && !text.startsWith('!') && !text.endsWith('~')
}

function isInfixWord(word: string): boolean {
  return isBinaryOperator(word) || isMembershipOperator(word) || /^!?(between|matches)$/.test(word)
}

function isNumber(token: LiteralToken): boolean {
  return /^(int|real|timespan)$/.test(token.type) && token.value !== null
}

const WORD_LITERALS = { true: true, false: false, null: null } as const

function wordLiteral({ name, span }: Identifier): Literal | undefined {
  if (name !== 'true' && name !== 'false' && name !== 'null') return undefined
  const type = name === 'null' ? 'dynamic' : 'bool'
  return { kind: 'literal', type, value: WORD_LITERALS[name], span }
}

function unknownOperator(word: Identifier): Problem {
  const { name: what, span } = word
  if (OPERATORS_NOT_YET.includes(what)) return problem.notSupported({ what, span })
  const lower = what.toLowerCase()
  if (isOperatorWord(lower)) return problem.wrongCase(what, span)
  if (Object.hasOwn(OPERATOR_HABITS, lower)) {
    return problem.otherLanguage({ what, span, help: OPERATOR_HABITS[lower] })
  }
  const habit = OPERATOR_HABITS[closest(lower, Object.keys(OPERATOR_HABITS)) ?? '']
  return problem.unknownOperator({ word, known: OPERATOR_WORDS, habit })
}
