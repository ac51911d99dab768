import type { Problem } from '../../text/problem.js'
import { joinSpans } from '../../text/span.js'
import { closest } from '../../text/suggest.js'
import { AGGREGATES, isAggregateName } from '../aggregate/aggregates.js'
import { OPERATOR_REFERENCE } from '../operator-reference.js'
import { Stop } from '../parse/cursor.js'
import { ExpressionParser } from '../parse/expression.js'
import { PRODUCTIONS } from '../parse/operators.js'
import { source } from '../parse/source.js'
import { definedNames, isStatement, statement } from '../parse/statement.js'
import { AS_HABIT, OPERATOR_HABITS } from '../problem/habits.js'
import * as languageProblem from '../problem/language.js'
import * as nameProblem from '../problem/name.js'
import * as syntaxProblem from '../problem/syntax.js'
import * as wordingProblem from '../problem/wording.js'
import type { Identifier, Operator, Pipeline, Query, Statement, Step } from './ast.js'
import { lex } from './lexer.js'
import { isSign, type Token } from './token.js'
import { INFIX_WORDS, isOperatorWord, OPERATOR_WORDS } from './words.js'

/** The tree of a query as far as it could be parsed, and the problems found. */
export interface ParseResult extends Omit<Pipeline, 'span'> {
  readonly statements: readonly Statement[]
  readonly problems: readonly Problem[]
}

const KEEPS_COLUMNS = /^(?:as|where|search|sample|redact|sort|order|limit|take|top)$/

const LISTS_COLUMNS = /^(?:distinct|order|project(?:-away|-keep|-reorder)?|sort|summarize)$/

/** Signs after the first word of a condition without `where`: `| status=500`. */
const COMPARISONS = ['=', '==', '!=', '=~', '<', '<=', '>', '>=', ':'] as const

/** The maximum number of steps and statements: each step becomes a query around the previous ones. */
const MAX_STEPS = 500

/** The maximum depth of nested queries: every tree walk recurses into them. */
const MAX_NESTED_QUERIES = 20

export interface ParseOptions {
  /** True when a query may start with an operator, because there is an input with events. */
  readonly hasInput?: boolean
}

/** Parses a query. After a step with a syntax error, parsing resumes at the next `|`. */
export function parse(text: string, { hasInput = false }: ParseOptions = {}): ParseResult {
  const { tokens, problems } = lex(text)
  const parsed = tokens.length > 0 ? new Parser(text, tokens, hasInput).query() : undefined
  if (parsed !== undefined && problems.length === 0) return parsed
  const habits = (parsed?.problems ?? []).filter((found) => isFirstWord(found, tokens))
  return { statements: [], steps: [], problems: [...habits, ...problems] }
}

/**
 * Returns true for a word of another language in place of an operator. Unlike other problems of the grammar, it cannot be a
 * consequence of a token that could not be read.
 */
function isFirstWord({ code, span }: Problem, tokens: readonly Token[]): boolean {
  if (code !== 'other-language' && code !== 'sql') return false
  const before = tokens[tokens.findIndex((token) => token.span.start === span.start) - 1]
  return before === undefined || isSign(before, '|', ';', '(')
}

/** Returns the tree of a query without syntax errors; undefined otherwise. */
export function wholeQuery({
  statements,
  source,
  steps,
  problems,
}: ParseResult): Query | undefined {
  const operators = steps.filter((step) => step.kind !== 'broken')
  if (source === undefined || problems.length > 0) return undefined
  const last = operators.at(-1) ?? source
  return { statements, source, operators, span: joinSpans(source.span, last.span) }
}

class Parser extends ExpressionParser {
  private readonly problems: Problem[] = []
  private steps = 0
  /** The number of pipelines around the current one. */
  private outer = 0
  private hasHalted = false
  private readonly hasInput: boolean

  constructor(text: string, tokens: readonly Token[], hasInput: boolean) {
    super(text, tokens)
    this.hasInput = hasInput
  }

  /** Query : ( Statement `;` )* Pipeline `;`? */
  query(): ParseResult {
    const statements: Statement[] = []
    while (isStatement(this) && !this.isFull()) statements.push(this.statement())
    const isLost = this.problems.length > 0 && this.peek().kind === 'end'
    const { source, steps } = isLost ? { steps: [] } : this.mainPipeline()
    if (!this.isFull()) this.guarded(() => this.end())
    const { problems } = this
    // A partial query cannot be checked: missing definitions may be in the rest.
    if (this.hasHalted) return { statements: [], steps: [], problems }
    return { statements, source, steps, problems }
  }

  /** Statement : Let | Set | Declare */
  private statement(): Statement {
    const start = this.at
    const names = definedNames(this)
    const read = this.guarded(() => {
      const found = statement(this)
      this.endStatement()
      return found
    }, start)
    if (read === undefined) this.skipStatement()
    return read ?? { kind: 'broken-statement', names }
  }

  private endStatement(): void {
    if (this.takeSign(';') !== undefined) return
    if (this.isSign(')')) throw new Stop(syntaxProblem.unopenedBracket(this.peek().span, ')'))
    this.refuseHabit(this.peek())
    this.report(syntaxProblem.missingSemicolon(this.last()))
  }

  private skipStatement(): void {
    while (this.peek().kind !== 'end' && !this.isSign(';')) this.at++
    this.takeSign(';')
  }

  private end(): void {
    const semicolon = this.takeSign(';')
    if (this.peek().kind === 'end') return
    if (semicolon !== undefined) throw new Stop(syntaxProblem.textAfterTheEnd(semicolon))
    throw new Stop(this.beyondEnd())
  }

  nested(): Pipeline {
    const { depth } = this
    this.descend()
    if (++this.outer > MAX_NESTED_QUERIES) throw new Stop(syntaxProblem.tooDeep(this.peek().span))
    const pipeline = this.pipeline()
    this.outer--
    this.depth = depth
    return pipeline
  }

  /** MainPipeline : Pipeline | Operator ( `|` Operator )*, Operator for the events of the input */
  private mainPipeline(): Pipeline {
    const { span } = this.peek()
    if (!this.hasInput || !isOperatorWord(this.operatorWord()?.name ?? '')) return this.pipeline()
    const source = { kind: 'input', span: { start: span.start, end: span.start } } as const
    const steps = [this.step(), ...this.moreSteps()]
    return { source, steps, span: joinSpans(span, this.last()) }
  }

  /** Pipeline : Source ( `|` Operator )* */
  private pipeline(): Pipeline {
    const start = this.peek().span
    const found = this.guarded(() => {
      if (this.peek().kind === 'end') throw new Stop(syntaxProblem.emptyQuery(start))
      if (this.hasInput && this.outer === 0 && this.isSign('|')) {
        throw new Stop(syntaxProblem.leadingPipe(start))
      }
      const read = source(this)
      this.expectStepEnd()
      return read
    })
    if (this.hasInput && this.outer === 0 && found === undefined) {
      this.problems.push(...this.problems.splice(-1).map(syntaxProblem.ofInput))
    }
    const steps = this.moreSteps()
    const end = this.at > 0 ? this.last() : start
    return { source: found, steps, span: joinSpans(start, end) }
  }

  private moreSteps(): readonly Step[] {
    const steps: Step[] = []
    while (!this.isFull() && this.takeSign('|') !== undefined) steps.push(this.step())
    return steps
  }

  private isFull(): boolean {
    return this.problems.length >= wordingProblem.MAX_PROBLEMS || this.hasHalted
  }

  private step(): Step {
    const start = this.at
    const word = this.operatorWord()
    const operator = this.guarded(() => {
      const found = this.operator(word)
      this.expectStepEnd(word)
      return found
    }, start)
    const keepsColumns = word !== undefined && KEEPS_COLUMNS.test(word.name)
    return operator ?? { kind: 'broken', keepsColumns }
  }

  /** Runs a production. If it throws `Stop`, reports the problem, skips to the end of the step and returns undefined. */
  private guarded<T>(production: () => T, start = this.at): T | undefined {
    const { depth, outer } = this
    try {
      if (++this.steps > MAX_STEPS) {
        throw new Stop(syntaxProblem.queryTooLong(this.peek().span, MAX_STEPS))
      }
      return production()
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      this.report(error.problem)
      if (this.steps > MAX_STEPS || (outer > 0 && error.problem.code === 'too-deep')) this.halt()
      this.depth = depth
      this.outer = outer
      this.skipStep(start)
      return undefined
    }
  }

  private report(found: Problem): void {
    if (!this.hasHalted) this.problems.push(found)
  }

  /** Stops parsing; further problems are not reported. */
  private halt(): void {
    this.hasHalted = true
    this.at = this.tokens.length - 1
  }

  /** Skips to the `|` after the step that started at `start`, or to the end of its pipeline, ignoring nested brackets. */
  private skipStep(start: number): void {
    let open = 0
    for (let i = start; i < this.tokens.length; i++) {
      const token = this.tokens[i]!
      if (isSign(token, '(', '[')) open++
      if (isSign(token, ')', ']')) open--
      const isEnd = open <= 0 && isSign(token, '|', ';')
      const closes = this.outer > 0 && open < 0 && isSign(token, ')')
      if ((isEnd || closes) && i >= this.at) {
        this.at = i
        return
      }
    }
    this.at = this.tokens.length - 1
  }

  /** Throws `Stop` unless the source or operator is followed by `|` or by the end of the pipeline. */
  private expectStepEnd(of?: Identifier): void {
    const token = this.peek()
    if (token.kind === 'end' || this.isSign('|') || this.isSign(';')) return
    if (this.isSign(')') && this.outer > 0) return
    throw new Stop(this.beyondEnd(of))
  }

  /** Returns the problem with a token after the end of a source, a step or the query. */
  private beyondEnd(of?: Identifier): Problem {
    const token = this.peek()
    if (this.isSign(')')) return syntaxProblem.unopenedBracket(token.span, ')')
    if (this.isSign(']')) return syntaxProblem.unopenedBracket(token.span, ']')
    // A query that begins with `status=404` or `level:error` lacks a dataset: the help on conditions shows one.
    if (of !== undefined || !isSign(token, '=', ':', '||')) this.refuseHabit(token)
    const isOfInput = this.hasInput && this.outer === 0
    const source = this.tokens[this.at - 1]
    // `stats count by status`: the first word was meant as an operator, and read as a dataset. In a query of files, it may
    // also be misspelled: `wher level == 5`.
    if (of === undefined && source?.kind === 'name') {
      const isMisspelled =
        isOfInput && token.kind === 'name' && closest(source.text, OPERATOR_WORDS) !== undefined
      if (isMisspelled || isHabit(source.text)) {
        return unknownOperator({ name: source.text, span: source.span })
      }
    }
    const word = this.operatorWord()
    if (word?.name.toLowerCase() === 'as') {
      return languageProblem.otherLanguage(word, AS_HABIT)
    }
    if (word !== undefined && isOperatorWord(word.name.toLowerCase())) {
      return syntaxProblem.missingPipe(word)
    }
    // `summarize total = count() by status, order by total`
    if (word?.name === 'by' && source?.kind === 'name' && /^(?:order|sort)$/.test(source.text)) {
      return syntaxProblem.missingPipe({ name: source.text, span: source.span })
    }
    if (word !== undefined && word.name !== 'by' && word.name.toLowerCase() === 'by') {
      return languageProblem.wrongCase(word.span, word.name)
    }
    const known = token.kind === 'name' ? INFIX_WORDS : []
    const found = syntaxProblem.unexpected(this.shown(token), '`|` or the end of the query', known)
    const isInList = of !== undefined && LISTS_COLUMNS.test(of.name)
    const isValue = source?.kind === 'name' || isSign(source, ')')
    if (isInList && token.kind === 'name' && isValue) {
      return source?.kind === 'name' && isAggregateName(source.text)
        ? syntaxProblem.withoutCall(found, token, source.text)
        : syntaxProblem.withoutComma(found)
    }
    if (this.isSecondString()) return syntaxProblem.withDoubledQuote(found)
    if (of === undefined && this.isSign('||')) return syntaxProblem.withTwoPipes(found)
    return of === undefined ? syntaxProblem.withoutPipe(found, { isOfInput }) : found
  }

  private operator(word: Identifier | undefined): Operator {
    if (word === undefined) throw new Stop(this.noOperator())
    if (!isOperatorWord(word.name)) throw new Stop(unknownOperator(word, this.tokens[this.at + 1]))
    while (this.peek().span.end <= word.span.end && this.peek().kind !== 'end') this.at++
    const isBare = this.isStepEnd()
    try {
      return { ...PRODUCTIONS[word.name](this, word), span: this.since(word.span) }
    } catch (error) {
      if (!isBare || !(error instanceof Stop) || error.problem.help !== undefined) throw error
      const { example } = OPERATOR_REFERENCE[word.name]
      throw new Stop({ ...error.problem, help: `for example \`${example}\`` })
    }
  }

  private noOperator(): Problem {
    const token = this.peek()
    if (token.kind === 'end' || this.isSign('|')) {
      return syntaxProblem.missingOperator(this.last())
    }
    this.refuseDashes()
    return syntaxProblem.unexpected(this.shown(token), 'an operator')
  }
}

function isHabit(word: string): boolean {
  return Object.hasOwn(OPERATOR_HABITS, word.toLowerCase())
}

/** `next` is the token after the word. */
function unknownOperator(word: Identifier, next?: Token): Problem {
  const { name: what, span } = word
  const lower = what.toLowerCase()
  if (isOperatorWord(lower)) return languageProblem.wrongCase(span, what)
  if (isHabit(what)) return languageProblem.otherLanguage(word, OPERATOR_HABITS[lower])
  const isInfix = next?.kind === 'name' && INFIX_WORDS.includes(next.text)
  const isCondition = isInfix || isSign(next, ...COMPARISONS)
  if (!isCondition && isAggregateName(what)) {
    return nameProblem.aggregateAsOperator(word, AGGREGATES[what].example)
  }
  const habit = isCondition ? 'filter' : closest(lower, Object.keys(OPERATOR_HABITS))
  return nameProblem.unknownOperator(word, OPERATOR_WORDS, OPERATOR_HABITS[habit ?? ''])
}
