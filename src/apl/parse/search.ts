import { escapeRegex } from '../../text/escape-regex.js'
import { joinSpans, type Span } from '../../text/span.js'
import * as operatorProblem from '../problem/operator.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Binary, BinaryOperator, Expression, Literal } from '../syntax/ast.js'
import { isOperatorWord } from '../syntax/words.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'

const KINDS = ['default', 'case_insensitive', 'case_sensitive'] as const

/** Search : `search` ( `kind` `=` Kind )? Expression, in which a string is a term and `:` searches in a field */
export function search(parser: ExpressionParser) {
  const caseSensitive = searchKind(parser)
  const predicate = searchPredicate(parser, caseSensitive)
  return { kind: 'search', caseSensitive, predicate } as const
}

/** SearchKind : ( `kind` `=` ( `default` | `case_insensitive` | `case_sensitive` ) )?; true for the last */
export function searchKind(parser: ExpressionParser): boolean {
  return parser.takeSetting('kind') && parser.expectWord(...KINDS) === 'case_sensitive'
}

/** Parses the predicate of a `search`, with terms translated into conditions. */
export function searchPredicate(parser: ExpressionParser, caseSensitive: boolean): Expression {
  const before = parser.termTest
  parser.termTest = (field, term, operatorSpan) => {
    const literal = term.kind === 'literal' ? term : undefined
    if (literal === undefined || literal.value === null) {
      throw new Stop(operatorProblem.termExpected(term.span))
    }
    return termTest(field, literal, operatorSpan, caseSensitive)
  }
  try {
    const predicate = withTerms(parser.expression(), caseSensitive)
    refuseNextWord(parser)
    return predicate
  } finally {
    parser.termTest = before
  }
}

/** Throws `Stop` for a word after the predicate that is not an operator: `search error timeout`. */
function refuseNextWord(parser: ExpressionParser): void {
  const token = parser.peek()
  if (token.kind !== 'literal' && (token.kind !== 'name' || isOperatorWord(token.text))) return
  parser.refuseHabit(token)
  const found = syntaxProblem.unexpected(parser.shown(token), '`|` or the end of the query')
  throw new Stop(syntaxProblem.withoutQuotes(found))
}

/** Replaces each string in the place of a condition by a search for the string as a term. */
function withTerms(expression: Expression, caseSensitive: boolean): Expression {
  const inner = (one: Expression) => withTerms(one, caseSensitive)
  const { span } = expression
  switch (expression.kind) {
    case 'literal': {
      if (expression.type === 'bool' || expression.value === null) return expression
      if (expression.value === '*') return { ...expression, type: 'bool', value: true }
      return termTest({ kind: 'star', span }, expression, span, caseSensitive)
    }
    case 'star':
      return { kind: 'literal', type: 'bool', value: true, span }
    case 'unary':
      if (expression.operator !== 'not') return expression
      return { ...expression, operand: inner(expression.operand) }
    case 'binary':
      if (expression.operator === 'and' || expression.operator === 'or') {
        return { ...expression, left: inner(expression.left), right: inner(expression.right) }
      }
      return caseSensitive ? withCase(expression) : expression
    default:
      return expression
  }
}

/** Returns the case-sensitive variant of a string comparison: `kind=case_sensitive` applies to all comparisons. */
function withCase(comparison: Binary): Binary {
  const { operator } = comparison
  const folded = /^!?(contains|startswith|endswith|has|hasprefix|hassuffix)$/.test(operator)
  if (folded) return { ...comparison, operator: `${operator}_cs` as BinaryOperator }
  if (operator === '=~') return { ...comparison, operator: '==' }
  return operator === '!~' ? { ...comparison, operator: '!=' } : comparison
}

/** `axiom` is a whole term, `axiom*` a prefix, `*axiom` a suffix, `*axiom*` any substring, `ax*m` and `ax?m` a pattern. */
function termTest(
  field: Expression,
  term: Literal,
  operatorSpan: Span,
  caseSensitive: boolean,
): Binary {
  const { operator, text } = meaning(String(term.value), caseSensitive)
  const right: Literal = { kind: 'literal', type: 'string', value: text, span: term.span }
  const span = joinSpans(field.span, term.span)
  return { kind: 'binary', operator, left: field, right, operatorSpan, span }
}

function meaning(
  term: string,
  caseSensitive: boolean,
): { readonly operator: BinaryOperator; readonly text: string } {
  const [start, end] = [term.startsWith('*'), term.length > 1 && term.endsWith('*')]
  const text = term.slice(start ? 1 : 0, end ? -1 : undefined)
  if (/[*?]/.test(text)) {
    return { operator: 'matches regex', text: wildcardRegex(term, caseSensitive) }
  }
  const operator = start ? (end ? 'contains' : 'hassuffix') : end ? 'hasprefix' : 'has'
  return { operator: caseSensitive ? `${operator}_cs` : operator, text }
}

/** `*` matches any text, `?` one character; an end of the pattern without `*` must be at a word boundary. */
function wildcardRegex(term: string, caseSensitive: boolean): string {
  const pattern = escapeRegex(term).replaceAll('\\*', '.*').replaceAll('\\?', '.')
  const start = /^[\p{L}\p{N}]/u.test(term) ? '(?:^|[^\\p{L}\\p{N}])' : ''
  const end = /[\p{L}\p{N}]$/u.test(term) ? '(?:$|[^\\p{L}\\p{N}])' : ''
  return `${caseSensitive ? '(?s)' : '(?is)'}${start}${pattern}${end}`
}
