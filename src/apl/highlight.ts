import type { Span } from '../text/span.js'
import { AGGREGATES } from './aggregate/aggregates.js'
import { FUNCTION_ALIASES, FUNCTIONS } from './function/functions.js'
import { lex } from './syntax/lexer.js'
import { isSign, type Token } from './syntax/token.js'
import { INFIX_WORDS, isOperatorWord } from './syntax/words.js'

/** The kinds of text in a query that an editor colors. */
export type HighlightKind = 'operator' | 'function' | 'word' | 'string' | 'number' | 'comment'

/** A part of a query of one kind. */
export interface Highlight {
  readonly kind: HighlightKind
  readonly span: Span
}

/** The first words of statements and sources. */
const BEGINNINGS: readonly string[] = ['datatable', 'declare', 'let', 'print', 'range', 'set']
/** Words inside operators. */
const CLAUSE_WORDS: readonly string[] = [
  ...['asc', 'by', 'desc', 'first', 'from', 'kind', 'last', 'not', 'nulls', 'of', 'on', 'regex'],
  ...['step', 'to', 'with', 'withsource'],
]
const CONSTANTS: readonly string[] = ['true', 'false', 'null']

/** Returns the colored parts of a query in source order; the query may be incomplete. */
export function highlights(text: string): readonly Highlight[] {
  const { tokens } = lex(text)
  const found: Highlight[] = []
  let end = 0
  tokens.forEach((token, i) => {
    const { span } = token
    found.push(
      ...comments(text, { start: end, end: token.kind === 'end' ? text.length : span.start }),
    )
    // The token is part of the operator before it, such as `away` in `project-away`.
    if (span.start < end) return
    const part = highlight(text, tokens, i)
    if (part !== undefined) found.push(part)
    end = part?.span.end ?? span.end
  })
  return found
}

function highlight(text: string, tokens: readonly Token[], at: number): Highlight | undefined {
  const token = tokens[at]!
  const { span } = token
  if (token.kind === 'literal') {
    const isString = /^@?["']/.test(text.slice(span.start, span.end))
    return { kind: isString ? 'string' : 'number', span }
  }
  if (token.kind !== 'name') return undefined
  if (beginsStep(tokens[at - 1])) {
    const [word = ''] = /^[a-z]+(?:-[a-z]+)*/.exec(text.slice(span.start)) ?? []
    if (isOperatorWord(word) || BEGINNINGS.includes(word)) {
      return { kind: 'operator', span: { start: span.start, end: span.start + word.length } }
    }
  }
  if (isSign(tokens[at + 1], '(') && isCall(token.text)) return { kind: 'function', span }
  if (INFIX_WORDS.includes(token.text) || CLAUSE_WORDS.includes(token.text)) {
    return { kind: 'word', span }
  }
  return CONSTANTS.includes(token.text) ? { kind: 'number', span } : undefined
}

/** True at the start of a query, a statement or a step. */
function beginsStep(previous: Token | undefined): boolean {
  return previous === undefined || isSign(previous, '|', ';', '(')
}

function isCall(name: string): boolean {
  return [FUNCTIONS, FUNCTION_ALIASES, AGGREGATES].some((table) => Object.hasOwn(table, name))
}

function comments(text: string, { start, end }: Span): readonly Highlight[] {
  return Array.from(text.slice(start, end).matchAll(/\/\/[^\n]*/g), ({ 0: comment, index }) => ({
    kind: 'comment',
    span: { start: start + index, end: start + index + comment.length },
  }))
}
