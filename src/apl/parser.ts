import type { Problem } from '../text/problem.js'
import { join, type Span } from '../text/span.js'
import { closest } from '../text/suggest.js'
import { isDatasetName } from '../wire/dataset-name.js'
import type { Identifier, Operator, Query, Source } from './ast.js'
import { OPERATOR_HABITS, SQL_WORDS } from './habits.js'
import { lex } from './lexer.js'
import { OPERATORS_NOT_YET, SOURCES_NOT_YET } from './not-yet.js'
import { Stop } from './parse/cursor.js'
import { ExpressionParser } from './parse/expression.js'
import { PRODUCTIONS } from './parse/operators.js'
import * as problem from './problems.js'
import type { NameToken } from './token.js'
import { isOperatorWord, OPERATOR_WORDS, type OperatorWord } from './words.js'

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

const COLUMN_KEEPERS: readonly OperatorWord[] = [
  'where',
  'search',
  'sample',
  'redact',
  'sort',
  'order',
  'limit',
  'take',
  'top',
]

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

class Parser extends ExpressionParser {
  private readonly problems: Problem[] = []

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

  private operator(word: Identifier | undefined): Operator {
    if (word === undefined) throw new Stop(this.noOperator())
    if (!isOperatorWord(word.name)) throw new Stop(unknownOperator(word))
    while (this.peek().span.end <= word.span.end && this.peek().kind !== 'end') this.at++
    return PRODUCTIONS[word.name](this, word)
  }

  private noOperator(): Problem {
    const token = this.peek()
    if (token.kind === 'end' || this.isSign('|')) {
      return problem.missingOperator(this.last())
    }
    return problem.unexpected(this.shown(token), 'an operator')
  }
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
