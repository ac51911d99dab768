import { joinSpans as joined } from '../../text/span.js'
import * as languageProblem from '../problem/language.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier, Operator, SortKey } from '../syntax/ast.js'
import type { OperatorWord } from '../syntax/words.js'
import { assignments } from './assignment.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { join, lookup } from './join.js'
import { makeSeries } from './make-series.js'
import { mvExpand } from './mv-expand.js'
import { parseKv, parseText } from './parse.js'
import { projectPatterns, projectRename, projectReorder } from './project.js'
import { redact } from './redact.js'
import { reduce } from './reduce.js'
import { search } from './search.js'
import { union } from './source.js'

/** Parses an operator after its word. */
type Production = (parser: ExpressionParser, word: Identifier) => Operator

/** The productions of the operators by their first word. */
export const PRODUCTIONS: Readonly<Record<OperatorWord, Production>> = {
  as,
  count,
  distinct,
  extend: (parser, word) => assignOperator(parser, 'extend', word),
  'extend-valid': (parser, word) => assignOperator(parser, 'extend-valid', word),
  getschema: (_parser, word) => ({ kind: 'getschema', span: word.span }),
  join,
  limit,
  lookup,
  'make-series': makeSeries,
  'mv-expand': mvExpand,
  order: sort,
  parse: parseText,
  'parse-kv': parseKv,
  'parse-where': parseText,
  project: (parser, word) => assignOperator(parser, 'project', word),
  'project-away': (parser, word) => projectPatterns(parser, 'project-away', word),
  'project-keep': (parser, word) => projectPatterns(parser, 'project-keep', word),
  'project-rename': projectRename,
  'project-reorder': projectReorder,
  redact,
  reduce,
  sample,
  search,
  sort,
  summarize,
  take: limit,
  top,
  union,
  where,
}

/** Where : `where` Expression */
function where(parser: ExpressionParser, word: Identifier): Operator {
  const predicate = parser.expression()
  return { kind: 'where', predicate, span: joined(word.span, parser.last()) }
}

/** Extend : ( `extend` | `extend-valid` ) Assignments · Project : `project` Assignments */
function assignOperator(
  parser: ExpressionParser,
  kind: 'extend' | 'extend-valid' | 'project',
  word: Identifier,
): Operator {
  const listed = assignments(parser)
  return { kind, assignments: listed, span: joined(word.span, parser.last()) }
}

/** Sample : `sample` Expression */
function sample(parser: ExpressionParser, word: Identifier): Operator {
  const share = parser.expression()
  return { kind: 'sample', share, span: joined(word.span, parser.last()) }
}

/** Summarize : `summarize` Assignments ( `by` Assignments )? | `summarize` `by` Assignments */
function summarize(parser: ExpressionParser, word: Identifier): Operator {
  const aggregates = parser.isWord('by') ? [] : assignments(parser)
  const by = parser.takeWord('by') === undefined ? [] : assignments(parser)
  return { kind: 'summarize', aggregates, by, span: joined(word.span, parser.last()) }
}

/** Sort : ( `sort` | `order` ) `by` SortKey ( `,` SortKey )* */
function sort(parser: ExpressionParser, word: Identifier): Operator {
  expectBy(parser, word)
  const keys = parser.list(() => sortKey(parser))
  return { kind: 'sort', keys, span: joined(word.span, parser.last()) }
}

/** Limit : ( `limit` | `take` ) Expression */
function limit(parser: ExpressionParser, word: Identifier): Operator {
  const count = parser.expression()
  return { kind: 'limit', count, span: joined(word.span, parser.last()) }
}

/** Top : `top` Expression `by` SortKey */
function top(parser: ExpressionParser, word: Identifier): Operator {
  const count = parser.isWord('by') ? parser.nothing('a number of rows') : parser.expression()
  expectBy(parser, word)
  const key = sortKey(parser)
  return { kind: 'top', count, key, span: joined(word.span, parser.last()) }
}

/** Count : `count` */
function count(parser: ExpressionParser, word: Identifier): Operator {
  const next = parser.peek()
  if (parser.isSign('(')) throw new Stop(syntaxProblem.countWith('parentheses', next.span))
  if (next.kind === 'name') throw new Stop(syntaxProblem.countWith('fields', next.span))
  return { kind: 'count', span: word.span }
}

/** Distinct : `distinct` Expression ( `,` Expression )* */
function distinct(parser: ExpressionParser, word: Identifier): Operator {
  const keys = parser.list(() => parser.expression())
  return { kind: 'distinct', keys, span: joined(word.span, parser.last()) }
}

/** As : `as` Name */
function as(parser: ExpressionParser, word: Identifier): Operator {
  const name = parser.isQuotedName() ? parser.quotedName() : parser.name()
  return { kind: 'as', name, span: joined(word.span, name.span) }
}

/** SortKey : Expression ( `asc` | `desc` )? ( `nulls` ( `first` | `last` ) )? */
function sortKey(parser: ExpressionParser): SortKey {
  const start = parser.peek().span
  const value = parser.expression()
  const direction = parser.takeWord('asc', 'desc')?.text
  const nulls = parser.takeWord('nulls') && parser.expectWord('first', 'last')
  const shouted = parser.peek()
  if (shouted.kind === 'name' && /^(ASC|DESC|NULLS)$/.test(shouted.text)) {
    throw new Stop(languageProblem.wrongCase(shouted.text, shouted.span))
  }
  return { value, direction, nulls: nulls?.text, span: joined(start, parser.last()) }
}

/** Consumes the required `by`. */
function expectBy(parser: ExpressionParser, word: Identifier): void {
  if (parser.takeWord('by') === undefined) {
    throw new Stop(syntaxProblem.missingBy(word, parser.shown(parser.peek())))
  }
}
