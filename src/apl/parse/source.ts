import { ownValue } from '../../text/own-value.js'
import { joinSpans, type Span } from '../../text/span.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import {
  CALL_AS_SOURCE_HABIT,
  LABELS_HABIT,
  LIST_HABIT,
  QUERY_FUNCTION_HABITS,
  SETTING_HABIT,
  SQL_WORDS,
} from '../problem/habits.js'
import { otherLanguage } from '../problem/language.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Datatable, DatatableColumn, Expression, Source, Union } from '../syntax/ast.js'
import { isSign, type NameToken } from '../syntax/token.js'
import { isOperatorWord } from '../syntax/words.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { namePattern, typedName, typeName } from './name.js'
import { searchKind, searchPredicate } from './search.js'

/** Source : Dataset | Print | Datatable | Union | SearchSource | TableCall | FileCall | `(` Pipeline `)` */
export function source(parser: ExpressionParser): Source {
  const token = parser.peek()
  if (parser.isSign('(')) return parenthesized(parser)
  if (parser.isSign('[')) return quotedDataset(parser)
  if (token.kind === 'literal' && typeof token.value === 'string') {
    throw new Stop(syntaxProblem.unquotedDataset({ text: token.value, span: token.span }))
  }
  if (parser.isSign('{')) {
    throw new Stop(otherLanguage({ name: '{', span: token.span }, LABELS_HABIT))
  }
  parser.refuseDashes()
  if (parser.isSign('.')) throw new Stop(otherLanguage({ name: '.', span: token.span }, LIST_HABIT))
  if (token.kind !== 'name') throw new Stop(syntaxProblem.missingSource(token.span))
  if (isAlone(parser)) return bareDataset(parser, token)
  const production = ownValue(SOURCES, token.text)
  if (production !== undefined) return production(parser, token)
  refuse(token)
  if (isCall(parser)) {
    const habit = ownValue(QUERY_FUNCTION_HABITS, token.text) ?? CALL_AS_SOURCE_HABIT
    throw new Stop(otherLanguage({ name: token.text, span: token.span }, habit))
  }
  return bareDataset(parser, token)
}

/** Operand : Dataset | DatasetPattern | TableCall | FileCall | `(` Pipeline `)` */
export function operand(parser: ExpressionParser): Source {
  const token = parser.peek()
  if (parser.isSign('(')) return parenthesized(parser)
  if (token.kind === 'name' && isCall(parser)) {
    if (token.text === 'table') return table(parser, token)
    if (token.text === 'file') return file(parser, token)
  }
  if (token.kind === 'name') {
    refuseSetting(parser, token)
    refuseDashes(parser, token)
  }
  if (token.kind === 'literal' && typeof token.value === 'string') {
    throw new Stop(syntaxProblem.unquotedDataset({ text: token.value, span: token.span }))
  }
  if (token.kind !== 'name' && !parser.isQuotedName() && !parser.isSign('*')) {
    throw new Stop(syntaxProblem.missingOperand(parser.shown(token)))
  }
  const pattern = namePattern(parser)
  if (pattern.pattern.includes('*')) return { kind: 'dataset-pattern', ...pattern }
  return { kind: 'dataset', name: pattern.pattern, span: pattern.span }
}

/** The productions of sources by their first word, which may also be the name of a dataset. */
const SOURCES: Readonly<Record<string, (parser: ExpressionParser, word: NameToken) => Source>> = {
  datatable,
  externaldata(_parser, word) {
    throw new Stop(syntaxProblem.externalData(word.span))
  },
  file,
  print(parser, { span }) {
    parser.at++
    const listed = parser.assignments()
    return { kind: 'print', assignments: listed, span: parser.since(span) }
  },
  search: searchSource,
  table,
  union(parser, { span }) {
    parser.at++
    return { ...union(parser), span: parser.since(span) }
  },
}

/** SearchSource : `search` ( `kind` `=` Kind )? ( `in` `(` Operand ( `,` Operand )* `)` )? Expression */
function searchSource(parser: ExpressionParser, word: NameToken): Source {
  parser.at++
  const caseSensitive = searchKind(parser)
  const parts = searchedDatasets(parser) ?? [
    { kind: 'dataset-pattern', pattern: '*', span: word.span } as const,
  ]
  const predicate = searchPredicate(parser, caseSensitive)
  const span = parser.since(word.span)
  const rows = { kind: 'union', parts, span: word.span } as const
  const step = { kind: 'search', caseSensitive, predicate, span } as const
  return { kind: 'pipeline', pipeline: { source: rows, steps: [step], span }, span }
}

function searchedDatasets(parser: ExpressionParser): readonly Source[] | undefined {
  if (parser.takeWord('in') === undefined) return undefined
  return parser.enclosed('`(` and the datasets', () => parser.list(() => operand(parser)))
}

/** Union : `union` ( `withsource` `=` Name )? Operand ( `,` Operand )*, after its word */
export function union(parser: ExpressionParser): Omit<Union, 'span'> {
  const withSource = parser.takeSetting('withsource') ? parser.anyName() : undefined
  const parts = parser.list(() => operand(parser))
  return { kind: 'union', withSource, parts }
}

/** TableCall : `table` `(` Expression `)` */
function table(parser: ExpressionParser, word: NameToken): Source {
  if (!isCall(parser)) return bareDataset(parser, word)
  parser.at++
  const name = parser.enclosed('`(`', () => parser.expression())
  return { kind: 'table', name, span: parser.since(word.span) }
}

/** FileCall : `file` `(` String `)` */
function file(parser: ExpressionParser, word: NameToken): Source {
  if (!isCall(parser)) return bareDataset(parser, word)
  parser.at++
  const pattern = parser.enclosed('`(`', () => parser.string('the path of a file in quotes'))
  return { kind: 'file', pattern, span: parser.since(word.span) }
}

function parenthesized(parser: ExpressionParser): Source {
  const open = parser.peek()
  const pipeline = parser.enclosed('`(`', () => parser.nested())
  return { kind: 'pipeline', pipeline, span: parser.since(open.span) }
}

function quotedDataset(parser: ExpressionParser): Source {
  const { name, span } = parser.quotedName()
  return { kind: 'dataset', name, span }
}

function bareDataset(parser: ExpressionParser, token: NameToken): Source {
  refuseDashes(parser, token)
  parser.at++
  return { kind: 'dataset', name: token.text, span: token.span }
}

/** Throws `Stop` for a word that cannot start a source. */
function refuse({ text, span }: NameToken): void {
  if (SQL_WORDS.includes(text.toLowerCase()))
    throw new Stop(syntaxProblem.sql({ name: text, span }))
  if (isOperatorWord(text)) throw new Stop(syntaxProblem.missingSource(span))
}

function refuseDashes(parser: ExpressionParser, token: NameToken): void {
  const written = unbroken(parser, token)
  if (written.end === token.span.end) return
  const name = parser.text.slice(written.start, written.end)
  if (isDatasetName(name))
    throw new Stop(syntaxProblem.unquotedDataset({ text: name, span: written }))
}

/** Throws `Stop` for a setting of Kusto: `union isfuzzy=true web`, `join hint.strategy=shuffle (web) on id`. */
function refuseSetting(parser: ExpressionParser, token: NameToken): void {
  const span = unbroken(parser, token)
  const after = parser.tokens.find(({ span: { start } }) => start >= span.end)
  if (!isSign(after, '=')) return
  throw new Stop(otherLanguage({ name: parser.shown({ span }).text, span }, SETTING_HABIT))
}

/** Returns the span of a token and the names, dots and dashes that follow it without a space. */
function unbroken(parser: ExpressionParser, token: NameToken): Span {
  let end = token.span.end
  for (let i = parser.at + 1; parser.tokens[i]?.span.start === end; i++) {
    const next = parser.tokens[i]!
    const joins = next.kind === 'sign' ? isSign(next, '-', '.') : next.kind !== 'end'
    if (!joins) break
    end = next.span.end
  }
  return { start: token.span.start, end }
}

/** Returns true if the source consists of the current word only. */
function isAlone(parser: ExpressionParser): boolean {
  const after = parser.tokens[parser.at + 1]
  return after?.kind === 'end' || isSign(after, '|', ';', ')')
}

function isCall(parser: ExpressionParser): boolean {
  return isSign(parser.tokens[parser.at + 1], '(')
}

/** Datatable : `datatable` `(` Column ( `,` Column )* `)` `[` ( Expression ( `,` Expression )* `,`? )? `]` */
function datatable(parser: ExpressionParser, word: NameToken): Datatable {
  parser.at++
  const columns = parser.enclosed('`(`', () => parser.list(() => column(parser)))
  const bracket = parser.expectSign('[', '`[` and the values')
  const values: Expression[] = []
  while (!parser.isSign(']')) {
    values.push(parser.expression())
    if (parser.takeSign(',') === undefined) break
  }
  const span = joinSpans(word.span, parser.close(']', bracket))
  return { kind: 'datatable', columns, values, span }
}

/** Column : Name `:` Type */
function column(parser: ExpressionParser): DatatableColumn {
  const name = typedName(parser)
  return { name, type: typeName(parser) }
}
