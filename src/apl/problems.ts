import type { Problem } from '../text/problem.js'
import type { Span } from '../text/span.js'
import { closest, nearest } from '../text/suggest.js'
import type { Identifier } from './ast.js'
import type { Parameter, Signature } from './signature.js'
import type { Type } from './type.js'

// Everything that can be wrong with a query, in one voice: a sentence in APL's words, a few words under
// the caret, and what would work. APL in a help stands in backticks, and parses.

/** So many problems of a query are told; more are of no help to anybody. */
export const MOST_PROBLEMS = 10

/** A piece of the query as it was written. */
export interface Written {
  readonly text: string
  readonly span: Span
}

// Letters and literals

export function strayCharacter(text: string, span: Span): Problem {
  return {
    code: 'stray-character',
    message: `${named(text)} means nothing in APL.`,
    span,
    label: 'not a part of APL',
    ...helped(STRAY_HELP[[...text][0] ?? '']),
  }
}

const STRAY_HELP: Readonly<Record<string, string>> = {
  '`': "a name with spaces or dots is quoted so: `['user agent']`",
  '“': 'texts stand between straight quotes: `"error"`',
  '”': 'texts stand between straight quotes: `"error"`',
  '‘': "texts stand between straight quotes: `'error'`",
  '’': "texts stand between straight quotes: `'error'`",
  '#': 'a comment begins with //',
  '@': "a field with such a name is quoted: `['@timestamp']`",
  '^': 'a power is `pow(2, 10)`',
  '?': 'one of two values is chosen by `iff(status >= 500, "bad", "good")`',
}

export function unclosedString(span: Span): Problem {
  return {
    code: 'unclosed-string',
    message: 'This text has no closing quote.',
    span,
    label: 'begins here and ends with the line',
    help: 'a line break in a text is written `"\\n"`, a quote `"\\""`',
  }
}

export function badEscape(sequence: string, span: Span): Problem {
  return {
    code: 'bad-escape',
    message: `${quoted(sequence)} is not an escape.`,
    span,
    label: 'not an escape',
    help: 'a backslash is written `"\\\\"`; in `@"\\d+"` backslashes stand for themselves',
  }
}

export function badNumber(text: string, span: Span): Problem {
  return {
    code: 'bad-number',
    message: `${quoted(text)} is neither a number nor a timespan.`,
    span,
    label: 'not a number',
    help: "timespans have one unit: `90s`, `1.5h`, `7d`; a name that begins with a digit is quoted: `['2xx']`",
  }
}

export function numberTooLarge(text: string, span: Span): Problem {
  return {
    code: 'number-too-large',
    message: `${quoted(text)} is too large a number.`,
    span,
    label: 'does not fit',
    help: 'whole numbers end at `9223372036854775807`, real numbers at about 1.8e308',
  }
}

export function timespanTooLong(text: string, span: Span): Problem {
  return {
    code: 'timespan-too-long',
    message: `${quoted(text)} is too long a timespan.`,
    span,
    label: 'does not fit',
    help: 'the longest timespan is about 292 years, `106751d`',
  }
}

export function datetimeOutOfRange(text: string, span: Span): Problem {
  return {
    code: 'datetime-out-of-range',
    message: `${quoted(text)} is outside of the years 1900 to 2262.`,
    span,
    label: 'out of range',
    help: 'the earliest instant is `datetime(1900-01-01)`, the latest `datetime(2262-04-11T23:47:16.854775807Z)`',
  }
}

export interface BadLiteral {
  /** The word before the parenthesis. */
  readonly word: string
  readonly type: Type
  readonly body: string
  readonly span: Span
}

export function badLiteral({ word, type, body, span }: BadLiteral): Problem {
  return {
    code: 'bad-literal',
    message:
      body.trim() === ''
        ? `\`${word}(…)\` is empty.`
        : `${quoted(body.trim())} is not a ${TYPE_NOUN[type]}.`,
    span,
    label: `\`${word}(…)\` takes it as a literal`,
    help: LITERAL_HELP[type],
  }
}

const LITERAL_HELP: Readonly<Record<Type, string>> = {
  bool: 'booleans are `true`, `false` and `bool(null)`; other values are converted by `tobool(ok)`',
  int: 'for example `int(200)`; other values are converted by `toint(status)`',
  real: 'for example `real(0.5)`; other values are converted by `toreal(duration)`',
  string: 'for example `string("ok")`; other values are converted by `tostring(status)`',
  datetime:
    'for example `datetime(2026-01-31T12:00:00Z)`; values are converted by `todatetime(started)`',
  timespan: 'for example `timespan(90s)`; values are converted by `totimespan(duration)`',
  dynamic:
    'for example `dynamic([1, "two", {"three": 3}])`; texts are converted by `parse_json(message)`',
}

// Structure

export function emptyQuery(span: Span): Problem {
  return {
    code: 'empty-query',
    message: 'The query is empty.',
    span,
    help: "a query begins with a dataset: `['logs'] | limit 10`",
  }
}

export function missingSource(span: Span): Problem {
  return {
    code: 'missing-dataset',
    message: 'The query does not begin with a dataset.',
    span,
    label: 'a dataset comes first',
    help: "for example `['logs'] | where status >= 500`",
  }
}

/** `http-logs | …`, `"logs" | …`. */
export function unquotedDataset(name: string, span: Span): Problem {
  return {
    code: 'unquoted-dataset',
    message: `The name of the dataset ${quoted(name)} needs quotes in brackets.`,
    span,
    help: `written so: \`['${name.replace(/[\\']/g, '\\$&')}']\``,
  }
}

/** `[logs]`. */
export function unquotedBracketName({ text, span }: Written): Problem {
  return {
    code: 'unquoted-name',
    message: `The name ${quoted(text)} in brackets needs quotes.`,
    span,
    help: `written so: \`['${text}']\``,
  }
}

export function sql(span: Span): Problem {
  return {
    code: 'sql',
    message: 'This begins like SQL; queries here are APL.',
    span,
    label: 'SQL',
    help: "`['logs'] | where status >= 500 | summarize count() by service`",
  }
}

/** `let a = 5 ['logs'] | …`. */
export function missingSemicolon(span: Span): Problem {
  return {
    code: 'missing-semicolon',
    message: 'The statement is not ended by a `;`.',
    span: { start: span.end, end: span.end },
    label: 'a `;` belongs here',
    help: "for example `let slow = 500; ['logs'] | where duration > slow`",
  }
}

/** `['logs']; | limit 5`. */
export function textBehindTheEnd(span: Span): Problem {
  return {
    code: 'text-behind-the-end',
    message: 'The query ends at this `;`, but more text follows.',
    span,
    label: 'the end',
    help: "statements stand before the query: `let slow = 500; ['logs'] | where duration > slow`",
  }
}

export function queryTooLong(span: Span, most: number): Problem {
  return {
    code: 'query-too-long',
    message: `The query has more than ${most.toLocaleString('en-US')} steps.`,
    span,
    label: 'one too many',
    help: 'several conditions can stand in one step: `where status >= 500 and ok`',
  }
}

/** `join on id`, `union`. */
export function missingOperand(found: Written): Problem {
  const where = found.text === '' ? 'The query ends' : `${quoted(found.text)} stands`
  return {
    code: 'missing-operand',
    message: `${where} where a dataset or a query in parentheses should be.`,
    span: found.span,
    label: 'no rows here',
    help: "`join (['b'] | where ok) on id`, `union ['b'], (['c'] | limit 10)`",
  }
}

export function missingOn(word: Identifier, found: Written): Problem {
  return {
    code: 'missing-on',
    message: `\`${word.name}\` has no \`on\` here.`,
    span: found.span,
    label: `\`on\` belongs ${found.text === '' ? 'here' : `before ${quoted(found.text)}`}`,
    help: `\`${word.name} (['b']) on id\`, \`${word.name} (['b']) on $left.user == $right.name\``,
  }
}

/** `kind=left`. */
export function unknownJoinKind(found: Written, known: readonly string[]): Problem {
  return {
    code: 'unknown-join-kind',
    message: `${found.text === '' ? 'Nothing' : quoted(found.text)} is not a kind of join.`,
    span: found.span,
    label: near(found.text, known) ?? 'not a kind of join',
    help: `kinds here: ${known.join(', ')}`,
  }
}

export function externalData(span: Span): Problem {
  return {
    code: 'not-supported',
    message:
      '`externaldata` is APL that this version does not run: queries fetch nothing from outside.',
    span,
    label: 'not in this version',
    help: 'rows can be written out, `datatable(code:int, name:string)[200, "ok"]`, or stored as a dataset first',
  }
}

export function missingOperator(span: Span): Problem {
  return {
    code: 'missing-operator',
    message: 'There is no operator behind this `|`.',
    span,
    label: 'leads nowhere',
    help: 'for example `| limit 10`',
  }
}

export function missingPipe(word: Identifier): Problem {
  return {
    code: 'missing-pipe',
    message: `There is no \`|\` before \`${word.name}\`.`,
    span: word.span,
    label: 'a `|` belongs before it',
  }
}

export function missingBy(word: Identifier, found: Written): Problem {
  return {
    code: 'missing-by',
    message: `\`${word.name}\` has no \`by\` here.`,
    span: found.span,
    label: `\`by\` belongs ${found.text === '' ? 'here' : `before ${quoted(found.text)}`}`,
    help: word.name === 'top' ? '`top 10 by _time`' : `\`${word.name} by _time desc\``,
  }
}

export function unexpected(found: Written, expected: string): Problem {
  const end = found.text === ''
  return {
    code: 'syntax',
    message: end
      ? `The query ends where ${expected} should be.`
      : `${quoted(found.text)} stands where ${expected} should be.`,
    span: found.span,
    label: end ? 'the end' : 'not here',
  }
}

export interface MissingParentheses {
  readonly operator: string
  /** What might stand in them. */
  readonly example: string
  readonly found: Written
}

/** `status in 200`, `status between 1 and 5`. */
export function missingParentheses({ operator, example, found }: MissingParentheses): Problem {
  return {
    code: 'missing-parentheses',
    message: `What follows \`${operator}\` stands in parentheses.`,
    span: found.span,
    label: 'a `(` belongs here',
    help: `for example \`status ${operator} ${example}\``,
  }
}

export function unclosedBracket(bracket: '(' | '[', span: Span): Problem {
  return {
    code: 'unclosed-bracket',
    message: `This \`${bracket}\` is never closed.`,
    span,
    label: `its \`${bracket === '(' ? ')' : ']'}\` is missing`,
  }
}

export function unopenedBracket(bracket: ')' | ']', span: Span): Problem {
  return {
    code: 'unopened-bracket',
    message: `This \`${bracket}\` closes nothing.`,
    span,
    label: 'one too many',
  }
}

export function tooDeep(span: Span): Problem {
  return {
    code: 'too-deep',
    message: 'The expression is nested too deeply.',
    span,
    label: 'too many levels',
    help: 'a long chain of `or` is shorter as `status in (500, 502, 503)`; a long condition can be several `where`',
  }
}

export function chainedComparison(span: Span): Problem {
  return {
    code: 'chained-comparison',
    message: 'Comparisons cannot be chained.',
    span,
    label: 'a second comparison',
    help: 'written as two: `duration > 1 and duration < 5`',
  }
}

export function bareDynamic(span: Span): Problem {
  return {
    code: 'bare-dynamic',
    message: 'Arrays and objects are written inside of `dynamic(…)`.',
    span,
    label: 'begins without it',
    help: '`dynamic([1, 2])`, `dynamic({"a": 1})`; a name is quoted so: `[\'user agent\']`',
  }
}

export function countWithParentheses(span: Span): Problem {
  return {
    code: 'syntax',
    message: 'The operator `count` has no parentheses.',
    span,
    label: 'not here',
    help: '`count` counts all rows; groups are counted by `summarize count() by status`',
  }
}

// Other languages, other versions

export interface OtherLanguage {
  readonly what: string
  readonly span: Span
  readonly help: string | undefined
}

/** A habit of another language that has a name of its own here. */
export function otherLanguage({ what, span, help }: OtherLanguage): Problem {
  return {
    code: 'other-language',
    message: what === '=' ? '`=` does not compare.' : `\`${what}\` is not APL here.`,
    span,
    label: 'from another language',
    ...helped(help),
  }
}

/** `!isempty(x)`. */
export function exclamationMark(span: Span): Problem {
  return {
    code: 'other-language',
    message: '`!` does not negate a value.',
    span,
    label: 'from another language',
    help: 'a condition is negated by `not(isempty(message))`',
  }
}

export function wrongCase(word: string, span: Span): Problem {
  return {
    code: 'wrong-case',
    message: `APL is case-sensitive: \`${word.toLowerCase()}\`, not \`${word}\`.`,
    span,
    label: `written \`${word.toLowerCase()}\``,
  }
}

/** Real APL that this version refuses rather than approximates. */
export function notSupported(known: {
  readonly what: string
  readonly span: Span
  readonly help?: string | undefined
}): Problem {
  const what = /^[a-z_]+ /.test(known.what) ? known.what : `\`${known.what}\``
  return {
    code: 'not-supported',
    message: `${what} is APL that this version does not run.`.replace(/^./, upper),
    span: known.span,
    label: 'not in this version',
    ...helped(known.help),
  }
}

// Names

export interface UnknownOperator {
  readonly word: Identifier
  readonly known: readonly string[]
  /** What another language's operator of nearly that name is here. */
  readonly habit?: string | undefined
}

export function unknownOperator({ word, known, habit }: UnknownOperator): Problem {
  const guess = near(word.name, known)
  return {
    code: 'unknown-operator',
    message: `There is no operator ${quoted(word.name)}.`,
    span: word.span,
    label: guess ?? 'not an operator',
    ...(guess === undefined && { help: habit ?? `operators: ${known.join(', ')}` }),
  }
}

export function unknownDataset(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-dataset',
    message: `There is no dataset ${quoted(name.name)}.`,
    span: name.span,
    label: near(name.name, known) ?? 'not a dataset',
    help:
      known.length === 0
        ? 'there are no datasets yet; the first events make one'
        : `datasets here: ${some(known, name.name)}`,
  }
}

/** `union github*` where no dataset begins so. */
export function noSuchDatasets(pattern: Written, known: readonly string[]): Problem {
  return {
    code: 'unknown-dataset',
    message: `No dataset is called like ${quoted(pattern.text)}.`,
    span: pattern.span,
    label: 'no dataset',
    help:
      known.length === 0
        ? 'there are no datasets yet; the first events make one'
        : `datasets here: ${some(known, pattern.text)}`,
  }
}

/** A name where there are no columns: in `let`, `print`, `table(…)`. */
export function unknownName(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-name',
    message: `Nothing is called ${quoted(name.name)} here.`,
    span: name.span,
    label: near(name.name, known) ?? 'not a name here',
    help:
      known.length === 0
        ? 'a name is given by a statement: `let slow = 500; print slow`'
        : `names here: ${some(known, name.name)}`,
  }
}

/** `where slow > 5` where `slow` is a query. */
export function rowsAsValue(name: Identifier): Problem {
  return {
    code: 'rows-as-value',
    message: `${quoted(name.name)} stands for rows, not for a value.`,
    span: name.span,
    label: 'rows',
    help: 'rows can be looked into, `let slow = print x = 5; print 5 in (slow)`, joined or queried',
  }
}

/** `five | where …` where `five` is a value. */
export function valueAsRows(name: Identifier): Problem {
  return {
    code: 'value-as-rows',
    message: `${quoted(name.name)} stands for a value, not for rows.`,
    span: name.span,
    label: 'a value',
    help: "rows come from a dataset or a query: `let slow = ['logs'] | where duration > 500; slow | count`",
  }
}

/** A field that one side of a join has not. */
export function unknownSideField(
  field: Identifier,
  side: 'left' | 'right',
  known: readonly string[],
): Problem {
  return {
    code: 'unknown-field',
    message: `The ${side} side of the join has no field ${quoted(field.name)}.`,
    span: field.span,
    label: near(field.name, known) ?? `not on the ${side} side`,
    help:
      known.length === 0
        ? `the ${side} side has no fields`
        : `fields on the ${side} side: ${some(known, field.name)}`,
  }
}

/** `$left` where there is no join, or on the other side of its `==`. */
export function sideHere(span: Span, side: 'left' | 'right'): Problem {
  return {
    code: 'side-here',
    message: `\`$${side}\` means nothing here.`,
    span,
    label: 'a side of no join',
    help: 'sides are told apart behind `on`: `join (["b"]) on $left.user == $right.name`',
  }
}

/** `join (…) on a > b`. */
export function joinCondition(span: Span): Problem {
  return {
    code: 'join-condition',
    message: 'Sides are joined where a value of the left one equals one of the right one.',
    span,
    label: 'not such a condition',
    help: 'for example `join (["b"]) on id, $left.user == tolower($right.name)`; other conditions are a `where` behind it',
  }
}

export function subqueryHere(operator: string, span: Span): Problem {
  return {
    code: 'subquery-here',
    message: `\`${operator}\` takes its terms written out, not from a query.`,
    span,
    label: 'a query',
    help: 'values are looked for in a query by `in`: `where id in (["b"] | project id)`',
  }
}

export function tooManySources(span: Span, most: number): Problem {
  return {
    code: 'too-many-sources',
    message: `The query takes its rows from more than ${most} places.`,
    span,
    label: 'one too many',
    help: 'a name that stands for rows counts each time it is used',
  }
}

export function tooManyJoins(span: Span, most: number): Problem {
  return {
    code: 'too-many-joins',
    message: `The query joins more than ${most} times.`,
    span,
    label: 'one too many',
    help: 'rows of the same fields are put together by one `union ["a"], ["b"]`',
  }
}

/** Values that do not fill the rows of a `datatable`. */
export function datatableRows(span: Span, columns: number, values: number): Problem {
  return {
    code: 'datatable-rows',
    message: `Rows of ${columns} columns are not filled by ${values} values.`,
    span,
    label: `${values % columns} left over`,
    help: 'row after row: `datatable(code:int, name:string)[200, "ok", 404, "not found"]`',
  }
}

export function wrongCell(column: Identifier, type: Type, value: Operand): Problem {
  return {
    code: 'wrong-cell',
    message: `The column ${quoted(column.name)} holds ${TYPE_NOUN[type]} values; this is a ${TYPE_NOUN[value.type]}.`,
    span: value.span,
    label: brief(value),
    ...helped(LITERAL_HELP[type]),
  }
}

/** A value in a `datatable`, a default or a dataset's name that is computed. */
export function notWrittenOut(span: Span, what: string): Problem {
  return {
    code: 'not-a-constant',
    message: `${what} has to be written out.`,
    span,
    label: 'computed',
  }
}

/** `declare query_parameters (service:string)` and no such variable in the request. */
export function missingParameter(name: Identifier, type: Type): Problem {
  return {
    code: 'missing-parameter',
    message: `The request gives no value for the parameter ${quoted(name.name)}.`,
    span: name.span,
    label: 'no value',
    help: `a default stands behind it: \`declare query_parameters (p:${type} = ${EXAMPLE_OF[type]}); print p\``,
  }
}

export function wrongParameter(name: Identifier, type: Type, given: Type): Problem {
  return {
    code: 'wrong-parameter',
    message: `The parameter ${quoted(name.name)} is a ${TYPE_NOUN[type]}; the value for it is a ${TYPE_NOUN[given]}.`,
    span: name.span,
    label: `declared as ${type}`,
  }
}

export function wrongDefault(name: Identifier, type: Type, value: Operand): Problem {
  return {
    code: 'wrong-parameter',
    message: `The parameter ${quoted(name.name)} is a ${TYPE_NOUN[type]}; its default is a ${TYPE_NOUN[value.type]}.`,
    span: value.span,
    label: brief(value),
    ...helped(LITERAL_HELP[type]),
  }
}

const EXAMPLE_OF: Readonly<Record<Type, string>> = {
  bool: 'true',
  int: '5',
  real: '0.5',
  string: '"web"',
  datetime: 'datetime(2026-01-31)',
  timespan: '1h',
  dynamic: 'dynamic([1, 2])',
}

/** A name that is not a field at this point of the pipeline. */
export function unknownField(field: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-field',
    message: `There is no field ${quoted(field.name)} at this point of the query.`,
    span: field.span,
    label: near(field.name, known) ?? 'not a field here',
    help:
      known.length === 0 ? 'there are no fields here' : `fields here: ${some(known, field.name)}`,
  }
}

const MADE_HELP: Readonly<Record<string, string>> = {
  extend: 'a second `extend` can use what the first one makes',
  project: 'an `extend` before this `project` can make it',
  summarize: 'an `extend` after this `summarize` can use it',
}

/** A column used in the operator that makes it. */
export function fieldMadeHere(field: Identifier, operator: string): Problem {
  return {
    code: 'unknown-field',
    message: `There is no field ${quoted(field.name)} yet at this point of the query.`,
    span: field.span,
    label: `made by this same \`${operator}\``,
    help: MADE_HELP[operator] ?? `a step after this \`${operator}\` can use it`,
  }
}

export function unknownFunction(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-function',
    message: `There is no function ${quoted(name.name)}.`,
    span: name.span,
    label: near(name.name, known) ?? 'not a function',
  }
}

export function unknownAggregate(
  name: Identifier,
  { aggregates, functions }: Record<'aggregates' | 'functions', readonly string[]>,
): Problem {
  return {
    code: 'unknown-aggregate',
    message: `There is no aggregate or function ${quoted(name.name)}.`,
    span: name.span,
    label: near(name.name, [...aggregates, ...functions]) ?? 'not an aggregate',
    help: `aggregates: ${aggregates.join(', ')}`,
  }
}

export function duplicateName(name: Identifier): Problem {
  return {
    code: 'duplicate-name',
    message: `The name ${quoted(name.name)} is given twice.`,
    span: name.span,
    label: 'given before',
    help: 'each column of a result has a name of its own',
  }
}

// Types and arguments

const TYPE_NOUN: Readonly<Record<Type, string>> = {
  bool: 'boolean',
  int: 'whole number',
  real: 'number',
  string: 'text',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: 'dynamic value',
}

/** `where status`. */
export function notACondition(type: Type, written: Written): Problem {
  return {
    code: 'not-a-condition',
    message: `A condition is true or false; this is a ${TYPE_NOUN[type]}.`,
    span: written.span,
    label: `a ${TYPE_NOUN[type]}`,
    help: isSimple(written.text)
      ? conditionHelp(type, written.text)
      : 'for example `status >= 500`',
  }
}

function conditionHelp(type: Type, text: string): string {
  const example = type === 'string' ? `\`${text} == "…"\`` : `\`${text} > 0\``
  const compared = type === 'datetime' || type === 'timespan' ? '' : `${example} or `
  return `${compared}\`isnotnull(${text})\``
}

export interface Operation {
  readonly operator: string
  readonly span: Span
  readonly left: Operand
  readonly right: Operand
}

export interface Operand extends Written {
  readonly type: Type
}

/** `status == "abc"`, `_time > 5`. */
export function cannotCompare({ operator, span, left, right }: Operation): Problem {
  return {
    code: 'cannot-compare',
    message: `\`${operator}\` cannot compare a ${TYPE_NOUN[left.type]} with a ${TYPE_NOUN[right.type]}.`,
    span,
    label: `${brief(left)}, ${brief(right)}`,
    ...helped(compareHelp(left, right) ?? compareHelp(right, left)),
  }
}

function compareHelp(one: Operand, other: Operand): string | undefined {
  const name = isSimple(one.text) ? one.text : 'started'
  if (one.type === 'datetime') return `times are compared with times: \`${name} > ago(1h)\``
  if (one.type === 'timespan') return 'timespans are compared with timespans: `90s`, `1.5h`'
  if (one.type === 'bool')
    return `a condition stands alone: \`${isSimple(one.text) ? one.text : 'ok'}\``
  if (one.type === 'string' && (other.type === 'int' || other.type === 'real')) {
    if (/^["'@]/.test(one.text)) {
      return `numbers stand without quotes: \`${isSimple(other.text) ? other.text : 'status'} == 200\``
    }
    return `texts are read as numbers by \`toreal(${isSimple(one.text) ? one.text : 'duration'})\``
  }
  return undefined
}

/** `_time == "yesterday"`. */
export function notATime({ text, span }: Written): Problem {
  return {
    code: 'not-a-time',
    message: `${quoted(text)} is not a time.`,
    span,
    label: 'compared with a datetime',
    help: 'for example `datetime(2026-01-31T12:00:00Z)` or `ago(1h)`',
  }
}

/** `"a" + 1`. */
export function cannotCombine({ operator, span, left, right }: Operation): Problem {
  const text = left.type === 'string' || right.type === 'string'
  return {
    code: 'cannot-combine',
    message: `\`${operator}\` cannot combine a ${TYPE_NOUN[left.type]} and a ${TYPE_NOUN[right.type]}.`,
    span,
    label: `${brief(left)}, ${brief(right)}`,
    ...helped(
      text
        ? 'texts are joined by `strcat(method, " ", uri)` and read as numbers by `toreal(duration)`'
        : combineHelp(left, right),
    ),
  }
}

function combineHelp(left: Operand, right: Operand): string | undefined {
  const time = left.type === 'datetime' || right.type === 'datetime'
  const dynamic = left.type === 'dynamic' || right.type === 'dynamic'
  if (time && dynamic) {
    return 'what the value is must be said: `todatetime(started)` or `totimespan(duration)`'
  }
  if (time) return 'a time is moved by a timespan: `_time + 90s`'
  return undefined
}

export interface WrongOperand {
  readonly operator: string
  readonly takes: 'text' | 'number' | 'condition'
  readonly operand: Operand
}

const TAKES = {
  text: 'takes text',
  number: 'takes a number or a timespan',
  condition: 'takes conditions',
} as const

/** `status contains "5"`, `-method`, `status and ok`. */
export function wrongOperand({ operator, takes, operand }: WrongOperand): Problem {
  const { text, type, span } = operand
  const name = isSimple(text) ? text : 'status'
  const help = {
    text: /^\d+$/.test(text)
      ? `a text stands in quotes: \`"${text}"\``
      : `a value becomes text by \`tostring(${name})\``,
    number: `texts are read as numbers by \`toreal(${name})\``,
    condition: operator === 'not' ? '`not(status == 200)`' : conditionHelp(type, name),
  }
  return {
    code: 'wrong-operand',
    message: `\`${operator}\` ${TAKES[takes]}, not a ${TYPE_NOUN[type]}.`,
    span,
    label: `a ${TYPE_NOUN[type]}`,
    help: help[takes],
  }
}

export interface Called {
  readonly name: string
  readonly signature: Signature
  readonly span: Span
}

/** Too few arguments, or too many. */
export function wrongArgumentCount(called: Called, given: number): Problem {
  const { name, signature, span } = called
  return {
    code: 'wrong-argument-count',
    message: `\`${name}\` takes ${argumentCount(signature)}, not ${given}.`,
    span,
    label: form(name, signature),
    help:
      name === 'count'
        ? '`count()` counts rows; those with a value are counted by `countif(isnotnull(status))`'
        : `it gives ${signature.summary}`,
  }
}

export interface WrongArgument {
  readonly called: Called
  readonly parameter: Parameter
  readonly argument: Operand
}

export function wrongArgument({ called, parameter, argument }: WrongArgument): Problem {
  const takes = parameter.accepts.map((type) => TYPE_NOUN[type])
  return {
    code: 'wrong-argument',
    message: `${quoted(parameter.name)} of ${form(called.name, called.signature)} is a ${anyOf(takes)}, not a ${TYPE_NOUN[argument.type]}.`,
    span: argument.span,
    label: `a ${TYPE_NOUN[argument.type]}`,
    ...helped(conversionHelp(parameter.accepts, argument)),
  }
}

function conversionHelp(accepts: readonly Type[], { text, type }: Operand): string | undefined {
  const name = isSimple(text) ? text : type === 'string' ? text : 'status'
  const value = name.length < 60 ? name : 'status'
  if (accepts.includes('string')) return `a value becomes text by \`tostring(${value})\``
  if (accepts.includes('bool')) return 'for example `status >= 500`'
  if (accepts.includes('timespan') && type === 'int') return 'timespans have a unit: `90s`, `1.5h`'
  if (type !== 'string') return undefined
  if (accepts.includes('real')) return `texts are read as numbers by \`toreal(${value})\``
  if (accepts.includes('int')) return `texts are read as numbers by \`toint(${value})\``
  if (accepts.includes('datetime')) return `texts are read as times by \`todatetime(${value})\``
  if (accepts.includes('timespan')) return 'timespans are written without quotes: `90s`, `1.5h`'
  if (accepts.includes('dynamic'))
    return `texts that hold JSON are read by \`parse_json(${value})\``
  return undefined
}

/** `percentile(x, p)` where `p` is not written out. */
export function notAConstant(
  called: Called,
  { parameter, span }: { parameter: string; span: Span },
): Problem {
  return {
    code: 'not-a-constant',
    message: `\`${parameter}\` of ${form(called.name, called.signature)} is written out, not computed.`,
    span,
    label: 'not a literal',
  }
}

/** `ensure_field("status", int)`. */
export function notAType(span: Span): Problem {
  return {
    code: 'not-a-type',
    message: 'A type is written `typeof(…)`, with the name of the type in it.',
    span,
    label: 'not a type',
    help: '`ensure_field("status", typeof(int))`; types: bool, datetime, dynamic, int, real, string, timespan',
  }
}

export function percentileOutOfRange(span: Span): Problem {
  return {
    code: 'percentile-out-of-range',
    message: 'A percentile lies between 0 and 100.',
    span,
    label: 'outside',
    help: 'the median is `percentile(duration, 50)`',
  }
}

/** `topk(uri, 0)`, `histogram(duration, -1)`. */
export function countOutOfRange(
  name: string,
  { span, most }: Written & { readonly most: bigint },
): Problem {
  return {
    code: 'count-out-of-range',
    message: `The count of \`${name}\` lies between 1 and ${most.toLocaleString('en')}.`,
    span,
    label: 'outside',
  }
}

/** `bin(_time, 60)`, `bin(status, 1h)`. */
export function wrongBin(span: Span, type: Type): Problem {
  const isTime = type === 'datetime' || type === 'timespan'
  return {
    code: 'wrong-bin',
    message: `A ${TYPE_NOUN[type]} is cut into steps of a ${isTime ? 'timespan' : 'number'} above 0.`,
    span,
    label: isTime ? 'not a timespan above 0' : 'not a number above 0',
    help: isTime ? '`bin(_time, 5m)`' : '`bin(duration, 10)`',
  }
}

/** `datetime_part("fortnight", _time)`. */
export function unknownTimePart(
  part: Identifier,
  { of, parts }: { readonly of: string; readonly parts: readonly string[] },
): Problem {
  return {
    code: 'unknown-time-part',
    message: `There is no part of time ${quoted(part.name)}.`,
    span: part.span,
    label: near(part.name, parts) ?? 'not a part',
    help: `parts of \`${of}\`: ${parts.join(', ')}`,
  }
}

/** `array_extract(tags, "name")`. */
export function badJsonPath(span: Span): Problem {
  return {
    code: 'bad-json-path',
    message: 'A JSON path begins with `$`, followed by members, positions and `*`.',
    span,
    label: 'not such a path',
    help: 'for example `array_extract(tags, "$[*].name")` or `array_extract(tags, "$[0][\'first name\']")`',
  }
}

/** `range(1, 1h)`. */
export function wrongRange(span: Span): Problem {
  return {
    code: 'wrong-range',
    message: '`range` goes from a number to a number, or from a time to a time of the same kind.',
    span,
    label: 'not such a range',
    help: '`range(0, 100, 10)`, `range(ago(1d), now(), 15m)`',
  }
}

/** `bag_pack("method")`. */
export function pairForm({ name, span }: Identifier): Problem {
  return {
    code: 'wrong-argument-count',
    message: `\`${name}\` takes pairs of a key and a value.`,
    span,
    label: 'a value is missing',
    help: `\`${name}("method", method, "uri", uri)\``,
  }
}

/** `pack_dictionary(method, 1)`. */
export function computedKey(span: Span): Problem {
  return {
    code: 'not-a-constant',
    message: 'The keys of `pack_dictionary` are written out, not computed.',
    span,
    label: 'not a literal text',
    help: 'computed keys are taken by `bag_pack(method, 1)`',
  }
}

export function caseForm(span: Span): Problem {
  return {
    code: 'wrong-argument-count',
    message: '`case` takes pairs of a condition and a value, then a value for all else.',
    span,
    label: 'not such a list',
    help: '`case(status >= 500, "bad", status >= 400, "poor", "good")`',
  }
}

export interface BadRegex {
  readonly pattern: string
  readonly reason: 'look-around' | 'back-reference' | 'structure'
  readonly span: Span
}

const REGEX_REASON = {
  'look-around': 'The regex looks around, which is not possible here.',
  'back-reference': 'The regex refers back to a group, which is not possible here.',
  structure: 'The regex is not well formed.',
} as const

export function badRegex({ pattern, reason, span }: BadRegex): Problem {
  return {
    code: 'bad-regex',
    message: REGEX_REASON[reason],
    span,
    label: reason === 'structure' ? flaw(pattern) : 'not in RE2',
    help:
      reason === 'structure'
        ? 'a sign that stands for itself has a backslash: `@"\\("`'
        : 'regexes are RE2; two conditions can be joined: `uri matches regex "a" and uri !matches regex "b"`',
  }
}

function flaw(pattern: string): string {
  return pattern === '' ? 'empty' : 'brackets, repetition or a last backslash'
}

/** `extract_all("(a)", dynamic([2]), text)`. */
export function noSuchGroup(
  span: Span,
  { wellFormed, most }: { readonly wellFormed: boolean; readonly most: number },
): Problem {
  return {
    code: 'no-such-group',
    message: wellFormed
      ? `The regex has no group of that number: the last is ${most}.`
      : 'The groups are an array of numbers.',
    span,
    label: wellFormed ? 'not in the regex' : 'no numbers of groups',
    help: 'group 0 is the match, group 1 the first in parentheses: `extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), message)`',
  }
}

const COUNT_HELP: Readonly<Record<string, string>> = {
  'mv-expand': '`mv-expand tags limit 10`',
  top: '`top 10 by _time`',
}

export function badCount(operator: string, written: Written): Problem {
  return {
    code: 'bad-count',
    message: `\`${operator}\` needs a whole number above 0, written out.`,
    span: written.span,
    label: 'not such a number',
    help: COUNT_HELP[operator] ?? `\`${operator} 10\``,
  }
}

/** `sort by 1`. */
export function constantSortKey(span: Span): Problem {
  return {
    code: 'constant-sort-key',
    message: 'This is the same for every row, so it gives no order.',
    span,
    label: 'a constant',
    help: 'rows are ordered by a column: `sort by _time desc`',
  }
}

/** `message.part` where the field is text. */
export function noParts(written: Operand): Problem {
  const { text, type, span } = written
  return {
    code: 'no-parts',
    message: `A ${TYPE_NOUN[type]} has no parts.`,
    span,
    label: `a ${TYPE_NOUN[type]}`,
    ...(type === 'string' && {
      help: `a text that holds JSON is read by \`parse_json(${isSimple(text) ? text : 'message'})\``,
    }),
  }
}

export function badIndex(operand: Operand): Problem {
  return {
    code: 'bad-index',
    message: `A part is chosen by its name or its position, not by a ${TYPE_NOUN[operand.type]}.`,
    span: operand.span,
    label: `a ${TYPE_NOUN[operand.type]}`,
    help: "`geo['city']`, `tags[0]`",
  }
}

export function starHere(span: Span): Problem {
  return {
    code: 'star',
    message: '`*` does not stand for a value.',
    span,
    label: 'not here',
    help: 'rows are counted by `count()`; all columns are there unless `project` leaves some out',
  }
}

// Groups

export function aggregateOutside(name: Identifier, operator: string): Problem {
  return {
    code: 'aggregate-outside-summarize',
    message: `\`${name.name}\` needs a group of rows, and \`${operator}\` sees one row at a time.`,
    span: name.span,
    label: 'only in `summarize`',
    help: 'grouped first, used afterwards: `summarize total = count() by status | where total > 10`',
  }
}

export function aggregateAsKey(name: Identifier): Problem {
  return {
    code: 'aggregate-outside-summarize',
    message: `\`${name.name}\` cannot be what rows are grouped by.`,
    span: name.span,
    label: 'before `by`, not after it',
    help: '`summarize count() by status`',
  }
}

export function nestedAggregate(name: Identifier): Problem {
  return {
    code: 'nested-aggregate',
    message: `\`${name.name}\` stands inside of another aggregate.`,
    span: name.span,
    label: 'one inside the other',
    help: 'two steps: `summarize total = count() by status | summarize max(total)`',
  }
}

/** `tostring(arg_max(duration, uri))`. */
export function severalColumns(name: Identifier): Problem {
  return {
    code: 'several-columns',
    message: `\`${name.name}\` gives the columns of a row, not one value.`,
    span: name.span,
    label: 'inside of an expression',
    help: 'by itself, its columns used afterwards: `summarize arg_max(duration, uri) by status | where duration > 10`',
  }
}

/** A field in `summarize` that no aggregate makes one value of. */
export function notGrouped(field: Identifier): Problem {
  const text = isSimple(field.name) ? field.name : 'status'
  return {
    code: 'not-aggregated',
    message: `${quoted(field.name)} has many values in a group; an aggregate makes one of them.`,
    span: field.span,
    label: 'not in an aggregate',
    help: `for example \`max(${text})\`, or grouped by it: \`summarize count() by ${text}\``,
  }
}

/** `summarize 5`, `summarize now()`. */
export function noAggregate(span: Span): Problem {
  return {
    code: 'not-aggregated',
    message: '`summarize` needs an aggregate here.',
    span,
    label: 'the same for every group',
    help: 'for example `count()`',
  }
}

export function noColumnsLeft(span: Span): Problem {
  return {
    code: 'no-columns',
    message: 'No column would be left.',
    span,
    label: 'takes them all away',
  }
}

// Operators that take texts apart, choose columns, or expand

/** `:strin`, `typeof(lng)`. */
export function unknownType(found: Written): Problem {
  const known = ['bool', 'datetime', 'dynamic', 'int', 'real', 'string', 'timespan']
  return {
    code: 'not-a-type',
    message:
      found.text === ''
        ? 'The query ends where the name of a type should be.'
        : `There is no type ${quoted(found.text)}.`,
    span: found.span,
    label: near(found.text, [...known, 'double', 'long']) ?? 'not a type',
    help: `types: ${known.join(', ')}`,
  }
}

/** `search field:other`. */
export function termExpected({ span }: { readonly span: Span }): Problem {
  return {
    code: 'syntax',
    message: 'What follows `:` in a `search` is a text in quotes.',
    span,
    label: 'not a text in quotes',
    help: '`search method:"get"`; two fields are compared with `==`',
  }
}

/** `parse-kv` without its delimiters. */
export function noDelimiter(span: Span): Problem {
  return {
    code: 'syntax',
    message: '`parse-kv` needs a `pair_delimiter` and a `kv_delimiter`.',
    span,
    label: 'without both',
    help: '`parse-kv message as (status:int) with (pair_delimiter=";", kv_delimiter="=")`',
  }
}

/** `redact replaceToken="x" replaceHash=true …`. */
export function twoCovers(span: Span): Problem {
  return {
    code: 'syntax',
    message: '`replaceToken` and `replaceHash` exclude each other.',
    span,
    label: 'the second of the two',
    help: '`redact replaceHash=true @"\\d+" on message`',
  }
}

export type RedactGroupFlaw = 'none' | 'inside' | 'many'

/** `redactGroups=true` with a regex that has no group, or one that cannot be told from the rest. */
export function redactableGroups(reason: RedactGroupFlaw, span: Span): Problem {
  const message = {
    none: 'With `redactGroups` the regex needs a group: what stands in it is hidden.',
    inside: 'With `redactGroups` no group stands inside of parentheses without one.',
    many: 'With `redactGroups` the regex has too many groups.',
  }
  return {
    code: 'redact-groups',
    message: message[reason],
    span,
    label: reason === 'none' ? 'has no group' : 'not such a regex',
    help: '`redact redactGroups=true @"/users/(.*)" on uri`',
  }
}

/** `parse message with a b`. */
export function captureWithoutEnd(name: Identifier): Problem {
  return {
    code: 'capture-without-end',
    message: `Nothing says where ${quoted(name.name)} ends.`,
    span: name.span,
    label: 'a text belongs behind it',
    help: '`parse message with "user " user " did " action`; a number ends where its digits do: `parse message with * "id=" id:int *`',
  }
}

/** `project-rename a = b*`. */
export function patternRenamed(span: Span): Problem {
  return {
    code: 'star',
    message: 'One column gets one new name; a `*` stands for many.',
    span,
    label: 'several columns',
    help: "`project-rename city = ['geo.city'], country = ['geo.country']`",
  }
}

/** A new name that another column has. */
export function nameInUse(name: Identifier): Problem {
  return {
    code: 'duplicate-name',
    message: `There is a column ${quoted(name.name)} already.`,
    span: name.span,
    label: 'the name of another column',
    help: 'the other column is left out first by `project-away`, or gets a new name itself',
  }
}

/** `sample 10`. */
export function badShare(written: Written): Problem {
  return {
    code: 'bad-share',
    message: '`sample` needs the share of the rows to keep: a number above 0 and up to 1.',
    span: written.span,
    label: 'not such a number',
    help: 'one row in ten is `sample 0.1`; the first ten are `limit 10`',
  }
}

/** `mv-expand split(a, ",")` without a name. */
export function unnamedExpansion(span: Span): Problem {
  return {
    code: 'unnamed-column',
    message: '`mv-expand` needs a name for what is no field.',
    span,
    label: 'without a name',
    help: '`mv-expand part = split(uri, "/")`',
  }
}

export interface SeriesTime {
  /** The word before it. */
  readonly word: string
  readonly span: Span
}

/** `from` or `to` of `make-series` that is not known before the query runs. */
export function notAnInstant({ word, span }: SeriesTime): Problem {
  return {
    code: 'not-a-constant',
    message: `\`${word}\` is an instant that is known before the query runs.`,
    span,
    label: 'not such an instant',
    help: '`make-series count() on _time from ago(1d) to now() step 1h`',
  }
}

export function badStep(span: Span): Problem {
  return {
    code: 'bad-step',
    message: 'A step of time is a timespan above 0, written out.',
    span,
    label: 'not such a timespan',
    help: '`make-series count() on _time step 5m`',
  }
}

/** Neither the query nor the request says where a series begins. */
export function noRange(span: Span): Problem {
  return {
    code: 'no-range',
    message: 'Nothing says where the series begins.',
    span,
    label: 'without a range',
    help: '`make-series count() on _time from ago(1d) to now() step 1h`; without `from`, a series covers the time range that is asked for',
  }
}

export function emptyRange(span: Span): Problem {
  return {
    code: 'empty-range',
    message: 'The series ends before it begins.',
    span,
    label: 'not before its end',
    help: '`make-series count() on _time from ago(1d) to now() step 1h`',
  }
}

export function tooManySteps(count: bigint, span: Span): Problem {
  return {
    code: 'too-many-steps',
    message: `The series would have ${count} steps; 100000 are the most.`,
    span,
    label: 'too short for the range',
  }
}

/** `default=` of `make-series` that is no literal. */
export function computedDefault(span: Span): Problem {
  return {
    code: 'not-a-constant',
    message: 'The `default` of a series is written out, not computed.',
    span,
    label: 'not a literal',
    help: '`make-series avg(duration) default=0 on _time step 1h`',
  }
}

/** `on` something that is no time. */
export function notATimeField({ span, type }: Operand): Problem {
  return {
    code: 'not-a-time',
    message: `\`make-series\` goes along a datetime, not a ${TYPE_NOUN[type]}.`,
    span,
    label: `a ${TYPE_NOUN[type]}`,
    help: '`make-series count() on _time step 1h`',
  }
}

/** `bin_auto` anywhere but in `by`. */
export function binAutoOutside(name: Identifier): Problem {
  return {
    code: 'bin-auto-outside-by',
    message: '`bin_auto` stands only in the `by` of `summarize`.',
    span: name.span,
    label: 'not here',
    help: '`summarize count() by bin_auto(_time)`; elsewhere `bin(_time, 5m)`',
  }
}

// Pieces of sentences

/** Written in backticks, cut short when long. */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `\`${line.length > 60 ? `${line.slice(0, 57)}…` : line}\``
}

function named(text: string): string {
  if (text.startsWith('`')) return 'A backtick'
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(text)
  const code = text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return visible ? quoted(text) : `The character U+${code}`
}

function near(name: string, known: readonly string[]): string | undefined {
  const guess = closest(name, known)
  return guess === undefined ? undefined : `close to \`${guess}\``
}

const MOST_NAMES = 8

/** The names, or of many a few, those near to `name` first. */
function some(names: readonly string[], name = ''): string {
  const close = name === '' || names.length <= MOST_NAMES ? [] : nearest(name, names)
  const order = [...close, ...names.slice(0, MOST_NAMES + close.length)]
  const shown = [...new Set(order)].slice(0, MOST_NAMES)
  const more = names.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function brief({ type }: Operand): string {
  return type
}

function isSimple(text: string): boolean {
  return /^[A-Za-z_][\w.]{0,40}$/.test(text) && !/\.(\d|$)|\.\./.test(text)
}

function anyOf(nouns: readonly string[]): string {
  const distinct = [...new Set(nouns)].filter(
    (noun) => noun !== 'whole number' || !nouns.includes('number'),
  )
  return distinct.join(' or a ')
}

/** `substring(source, start, length?)`. */
function form(name: string, { parameters }: Signature): string {
  const written = parameters.map(({ name: parameter, optional, repeated }) =>
    repeated ? `${parameter}, …` : optional ? `${parameter}?` : parameter,
  )
  return `\`${name}(${written.join(', ')})\``
}

function argumentCount({ parameters }: Signature): string {
  const least = parameters.filter((parameter) => !parameter.optional).length
  const repeats = parameters.at(-1)?.repeated === true
  if (parameters.length === 0) return 'no arguments'
  if (repeats) return `${least} or more arguments`
  const most = parameters.length
  const count = least === most ? `${most}` : `${least} ${most - least > 1 ? 'to' : 'or'} ${most}`
  return `${count} argument${most === 1 ? '' : 's'}`
}

function helped(help: string | undefined): { readonly help?: string } {
  return help === undefined ? {} : { help }
}

function upper(letter: string): string {
  return letter.toUpperCase()
}
