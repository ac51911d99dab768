import type { Expression, MakeSeries, Series } from '../syntax/ast.js'
import { PRECEDENCE } from '../syntax/words.js'
import type { ExpressionParser } from './expression.js'

/** MakeSeries : `make-series` Series ( `,` Series )* `on` Expression Range? ( `step` Expression )? ( `by` Assignments )? */
export function makeSeries(parser: ExpressionParser) {
  const series = parser.list(() => oneSeries(parser))
  if (parser.takeWord('on') === undefined) parser.nothing('`on` and the time field')
  // `in` is not an operator here: it starts the range.
  const on = parser.expression(PRECEDENCE.sum)
  const { step: inRange, ...range } = seriesRange(parser)
  const step = inRange ?? seriesStep(parser)
  const by = parser.takeWord('by') === undefined ? [] : parser.assignments()
  return { kind: 'make-series', series, on, ...range, step, by } as const
}

/** Series : Assignment ( `default` `=` Expression )? */
function oneSeries(parser: ExpressionParser): Series {
  const { name, value, span } = parser.assignment()
  const rest = parser.takeWord('default') && parser.expectSign('=', '`=`')
  const otherwise = rest && parser.expression()
  return { name, value, default: otherwise, span: parser.since(span) }
}

type SeriesRange = Partial<Pick<MakeSeries, 'from' | 'to' | 'step'>>

/** Range : `in`? ( `from` Expression )? ( `to` Expression )? | `in` `range` `(` Expression `,` Expression ( `,` Expression )? `)` */
function seriesRange(parser: ExpressionParser): SeriesRange {
  const within = parser.takeWord('in')
  if (within !== undefined && parser.takeWord('range') !== undefined) return inRange(parser)
  const from = parser.takeWord('from') && parser.expression()
  const to = parser.takeWord('to') && parser.expression()
  return { from, to }
}

function inRange(parser: ExpressionParser): SeriesRange {
  const open = parser.expectSign('(', '`(`')
  const from = parser.expression()
  parser.expectSign(',', '`,` and the end of the range')
  const to = parser.expression()
  const step = parser.takeSign(',') && parser.expression()
  parser.close(')', open)
  return { from, to, step }
}

function seriesStep(parser: ExpressionParser): Expression {
  if (parser.takeWord('step') === undefined) parser.nothing('`step` and a timespan')
  return parser.expression()
}
