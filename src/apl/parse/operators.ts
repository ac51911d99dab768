import { FREQUENT_HABIT, SORT_KEYS_HABIT, TOP_OF_EACH_HABIT } from '../problem/habits.js'
import * as languageProblem from '../problem/language.js'
import * as syntaxProblem from '../problem/syntax.js'
import type {
  ColumnOrder,
  ColumnPlace,
  ExpandItem,
  Expression,
  Identifier,
  Operator,
  Rename,
  SortKey,
} from '../syntax/ast.js'
import type { OperatorWord } from '../syntax/words.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { join, lookup } from './join.js'
import { makeSeries } from './make-series.js'
import { columnName, namePattern, namePatterns, typeOf } from './name.js'
import { parseKv, parseText } from './parse.js'
import { redact } from './redact.js'
import { search } from './search.js'
import { union } from './source.js'

/** Parses an operator after its word. The parser adds the span, from the word on. */
type Production = (parser: ExpressionParser, word: Identifier) => WithoutSpan<Operator>

type WithoutSpan<Node> = Node extends Operator ? Omit<Node, 'span'> : never

/** The productions of the operators by their first word. */
export const PRODUCTIONS: Readonly<Record<OperatorWord, Production>> = {
  /** As : `as` Name */
  as: (parser) => ({ kind: 'as', name: parser.anyName() }),
  count,
  /** Distinct : `distinct` Expression ( `,` Expression )* */
  distinct: (parser) => ({ kind: 'distinct', keys: parser.list(() => parser.expression()) }),
  /** Extend : ( `extend` | `extend-valid` ) Assignments */
  extend: (parser) => ({ kind: 'extend', assignments: parser.assignments() }),
  'extend-valid': (parser) => ({ kind: 'extend-valid', assignments: parser.assignments() }),
  getschema: () => ({ kind: 'getschema' }),
  join,
  limit,
  lookup,
  'make-series': makeSeries,
  'mv-expand': mvExpand,
  order: sort,
  parse: parseText,
  'parse-kv': parseKv,
  'parse-where': parseText,
  /** Project : `project` Assignments */
  project: (parser) => ({ kind: 'project', assignments: parser.assignments() }),
  /** Columns : ( `project-away` | `project-keep` ) NamePatterns */
  'project-away': (parser) => ({ kind: 'project-away', patterns: namePatterns(parser) }),
  'project-keep': (parser) => ({ kind: 'project-keep', patterns: namePatterns(parser) }),
  /** ProjectRename : `project-rename` Rename ( `,` Rename )* */
  'project-rename': (parser) => ({
    kind: 'project-rename',
    renames: parser.list(() => rename(parser)),
  }),
  /** ProjectReorder : `project-reorder` ColumnPlace ( `,` ColumnPlace )* */
  'project-reorder': (parser) => ({
    kind: 'project-reorder',
    places: parser.list(() => columnPlace(parser)),
  }),
  redact,
  reduce,
  /** Sample : `sample` Expression */
  sample: (parser) => ({ kind: 'sample', share: parser.expression() }),
  search,
  sort,
  /** Summarize : `summarize` Assignments ( `by` Assignments )? | `summarize` `by` Assignments */
  summarize: (parser) => ({
    kind: 'summarize',
    aggregates: parser.isWord('by') ? [] : parser.assignments(),
    by: parser.takeWord('by') === undefined ? [] : parser.assignments(),
  }),
  take: limit,
  top,
  union,
  /** Filter : `where` Expression */
  where: (parser) => ({ kind: 'where', predicate: parser.expression() }),
}

/** Sort : ( `sort` | `order` ) `by` SortKey ( `,` SortKey )* */
function sort(parser: ExpressionParser, word: Identifier) {
  parser.expectBy(word)
  return { kind: 'sort', keys: parser.list(() => sortKey(parser)) } as const
}

/** Limit : ( `limit` | `take` ) Expression */
function limit(parser: ExpressionParser) {
  return { kind: 'limit', count: parser.expression() } as const
}

/** Top : `top` Expression `by` SortKey */
function top(parser: ExpressionParser, word: Identifier) {
  if (parser.takeSetting('limit')) {
    const setting = { name: 'limit=', span: parser.since(word.span) }
    throw new Stop(languageProblem.otherLanguage(setting, FREQUENT_HABIT))
  }
  const count = parser.isWord('by') ? parser.nothing('a number of rows') : parser.expression()
  parser.expectBy(word)
  const key = sortKey(parser)
  const isList = parser.isSign(',')
  if (isList || parser.isWord('by')) {
    const again = { name: isList ? ',' : 'by', span: parser.peek().span }
    throw new Stop(
      languageProblem.otherLanguage(again, isList ? SORT_KEYS_HABIT : TOP_OF_EACH_HABIT),
    )
  }
  return { kind: 'top', count, key } as const
}

/** Count : `count` */
function count(parser: ExpressionParser) {
  const next = parser.peek()
  if (parser.isSign('(')) throw new Stop(syntaxProblem.countWith(next.span, 'parentheses'))
  if (next.kind === 'name') throw new Stop(syntaxProblem.countWith(next.span, 'fields'))
  return { kind: 'count' } as const
}

/** SortKey : Expression ( `asc` | `desc` )? ( `nulls` ( `first` | `last` ) )? */
function sortKey(parser: ExpressionParser): SortKey {
  const start = parser.peek().span
  const value = parser.expression()
  const direction = parser.takeWord('asc', 'desc')
  const nulls = parser.takeWord('nulls') && parser.expectWord('first', 'last')
  const shouted = parser.peek()
  if (shouted.kind === 'name' && /^(ASC|DESC|NULLS)$/.test(shouted.text)) {
    throw new Stop(languageProblem.wrongCase(shouted.span, shouted.text))
  }
  return { value, direction, nulls, span: parser.since(start) }
}

/** Rename : Name `=` Name */
function rename(parser: ExpressionParser): Rename {
  const name = columnName(parser) ?? parser.nothing('a new column name')
  parser.expectSign('=', '`=` and the current name of the column')
  const column = namePattern(parser)
  return { name, column, span: parser.since(name.span) }
}

/** ColumnPlace : NamePattern ( `asc` | `desc` | `granny-asc` | `granny-desc` )? */
function columnPlace(parser: ExpressionParser): ColumnPlace {
  return { pattern: namePattern(parser), order: columnOrder(parser) }
}

function columnOrder(parser: ExpressionParser): ColumnOrder | undefined {
  if (parser.takeWord('granny') === undefined) return parser.takeWord('asc', 'desc')
  parser.expectSign('-', '`-asc` or `-desc`')
  return `granny-${parser.expectWord('asc', 'desc')}`
}

/** MvExpand : `mv-expand` Setting* ExpandItem ( `,` ExpandItem )* ( `limit` Expression )? */
function mvExpand(parser: ExpressionParser) {
  let bags = false
  let index: Identifier | undefined
  for (;;) {
    if (parser.takeSetting('kind') || parser.takeSetting('bagexpansion')) {
      bags = parser.expectWord('bag', 'array') === 'bag'
    } else if (parser.takeSetting('with_itemindex')) index = parser.name()
    else break
  }
  const items = parser.list(() => expandItem(parser))
  const limit = parser.takeWord('limit') && parser.expression()
  return { kind: 'mv-expand', bags, index, items, limit } as const
}

/** ExpandItem : Assignment ( `to` TypeOf )? */
function expandItem(parser: ExpressionParser): ExpandItem {
  const { name, value, span } = parser.assignment()
  const type = parser.takeWord('to') && typeOf(parser)
  return { name, value, type, span: parser.since(span) }
}

/** Reduce : `reduce` ( `kind` `=` `source` )? `by` Expression ( `with` `threshold` `=` Expression )? */
function reduce(parser: ExpressionParser, word: Identifier) {
  const keepsRows = parser.takeSetting('kind') && parser.expectWord('source') === 'source'
  parser.expectBy(word)
  const value = parser.expression()
  const threshold = parser.takeWord('with') && reduceThreshold(parser)
  return { kind: 'reduce', keepsRows, value, threshold } as const
}

function reduceThreshold(parser: ExpressionParser): Expression {
  if (!parser.takeSetting('threshold')) parser.nothing('`threshold=` and a share')
  return parser.expression()
}
