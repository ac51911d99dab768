import { formatInteger } from '../../text/integer.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { closest } from '../../text/suggest.js'
import type { Identifier } from '../syntax/ast.js'
import { DROP_HABIT, FREQUENT_HABIT, LIST_HABIT } from './habits.js'
import { type Excerpt, inBackticks, isSimple, suggestion, worded, wordedAt } from './wording.js'

// The structure of a query.

export const emptyQuery = worded({
  code: 'empty-query',
  message: 'The query is empty.',
  help: "a query starts with a dataset: `['logs'] | limit 10`",
})

export const missingSource = worded({
  code: 'missing-dataset',
  message: 'The query does not start with a dataset.',
  label: 'expected a dataset',
  help: "for example `['logs'] | where status >= 500`",
})

/** Returns a problem with the first word of a query whose events are those of an input: there is no dataset in front of operators. */
export function ofInput({ message, label, help, ...found }: Problem): Problem {
  return {
    ...found,
    message: message.replace('start with a dataset', 'start with an operator'),
    label: label?.replace('expected a dataset', 'expected an operator'),
    help: help
      ?.replace(/^a query starts with (?:the name of )?a dataset: `\['logs'\] \| /, 'for example `')
      .replace(/`\['logs'\] \| /g, '`'),
  }
}

/** `| where …` for the events of an input. */
export const leadingPipe = worded({
  code: 'syntax',
  message: 'A query of files starts with an operator, without `|` in front of it.',
  label: 'not before the first operator',
  help: 'for example `where status >= 500`',
})

/** `http-logs | …`, `"logs" | …`. */
export const unquotedDataset = wordedAt(({ text }: Excerpt) => ({
  code: 'unquoted-dataset',
  message: `The dataset name ${inBackticks(text)} must be quoted in brackets.`,
  help: `write \`['${text.replace(/[\\']/g, '\\$&')}']\`${text.includes(' ') ? '; to find a text in all datasets, use `search "timed out"`' : ''}`,
}))

/** `[logs]`. */
export const unquotedBracketName = wordedAt(({ text }: Excerpt) => ({
  code: 'unquoted-name',
  message: `The name ${inBackticks(text)} in brackets must be quoted.`,
  help: `write \`['${text}']\``,
}))

export const sql = wordedAt(({ name }: Identifier) => ({
  code: 'sql',
  message: 'This looks like SQL; queries are written in APL.',
  label: 'SQL',
  help: sqlHelp(name.toLowerCase()),
}))

function sqlHelp(word: string): string {
  if (/^(?:desc|show)/.test(word)) return LIST_HABIT
  if (word === 'drop' || word === 'truncate') return DROP_HABIT
  return "for example `['logs'] | where status >= 500 | summarize count() by service`"
}

/** `let a = 5 ['logs'] | …`. */
export function missingSemicolon(span: Span): Problem {
  return {
    code: 'missing-semicolon',
    message: 'The statement does not end with `;`.',
    span: { start: span.end, end: span.end },
    label: 'expected `;`',
    help: "for example `let slow = 500; ['logs'] | where duration > slow`",
  }
}

/** `['logs']; | limit 5`. */
export const textAfterTheEnd = worded({
  code: 'text-after-the-end',
  message: 'The query ends at this `;`, but more text follows.',
  label: 'end of the query',
  help: "statements go before the query: `let slow = 500; ['logs'] | where duration > slow`",
})

export const queryTooLong = wordedAt((_: Span, most: number) => ({
  code: 'query-too-long',
  message: `The query has more than ${formatInteger(most)} steps.`,
  label: 'one too many',
  help: 'combine several conditions in one step: `where status >= 500 and ok`',
}))

/** A query above the maximum length. */
export const textTooLong = wordedAt((_: Span, most: number) => ({
  code: 'query-too-long',
  message: `The text of the query is longer than ${formatInteger(most)} characters.`,
  label: 'limit reached here',
  help: LONG_LIST_HELP,
}))

/** `status in (1, 2, 3, …)`. */
export const tooManyTokens = wordedAt((_: Span, most: number) => ({
  code: 'query-too-long',
  message: `The query has more than ${formatInteger(most)} tokens.`,
  label: 'one too many',
  help: LONG_LIST_HELP,
}))

const LONG_LIST_HELP =
  "store a long list as a dataset and look it up: `['logs'] | where id in ((['ids'] | project id))`"

/** `let a = b + b; let b = c + c; …`: a short query that expands to an enormous tree; or very many expressions. */
export const tooHeavy = worded({
  code: 'query-too-long',
  message:
    'The expressions of the query are too complex together; a value defined by a statement counts each time it is used.',
  label: 'one too many',
  help: 'a column added by `extend` counts once, however often it is used',
})

/** `join on id`, `union`. */
export const missingOperand = wordedAt((found: Excerpt) => ({
  code: 'missing-operand',
  message: `Expected a dataset or a query in parentheses, found ${whatIs(found)}.`,
  label: 'not a dataset or query',
  help: "`join (['b'] | where ok) on id`, `union ['b'], (['c'] | limit 10)`",
}))

export const missingOn = wordedAt((_: Excerpt, word: Identifier) => ({
  code: 'missing-on',
  message: `\`${word.name}\` needs \`on\`.`,
  label: 'expected `on`',
  help: `\`${word.name} (['b']) on id\`, \`${word.name} (['b']) on $left.user == $right.name\``,
}))

/** The kinds of joins by their names in SQL. */
const JOIN_HABITS: ReadonlyMap<string, string> = new Map([
  ['left', 'leftouter'],
  ['right', 'rightouter'],
  ['full', 'fullouter'],
  ['outer', 'fullouter'],
])

/** `kind=left`. */
export const unknownJoinKind = wordedAt((found: Excerpt, known: readonly string[]) => {
  const guess = JOIN_HABITS.get(found.text.toLowerCase()) ?? closest(found.text, known)
  return {
    code: 'unknown-join-kind',
    message:
      found.text === ''
        ? 'Expected a kind of join, found the end of the query.'
        : `There is no kind of join ${inBackticks(found.text)}.`,
    label: guess === undefined ? 'unknown kind of join' : `close to \`${guess}\``,
    help: `kinds: ${known.join(', ')}`,
  }
})

export const externalData = worded({
  code: 'not-supported',
  message: '`externaldata` is not supported: queries cannot read external data.',
  label: 'not supported',
  help: 'list the rows with `datatable(code:int, name:string)[200, "ok"]`, or ingest them into a dataset',
})

/** `file('access.log')` in a query that a service runs. */
export const fileHere = worded({
  code: 'file-here',
  message: '`file` reads files on the machine of the program: a service has no access to them.',
  label: 'not on a service',
  help: 'store the file in a dataset with evq ingest, or query it with evq on its own machine',
})

export const missingOperator = worded({
  code: 'missing-operator',
  message: 'There is no operator after this `|`.',
  label: 'expected an operator',
  help: 'for example `| limit 10`',
})

export const missingPipe = wordedAt((word: Identifier) => {
  const lower = word.name.toLowerCase()
  return {
    code: 'missing-pipe',
    message: `Missing \`|\` before \`${word.name}\`.`,
    label: 'expected `|` before this',
    ...(word.name !== lower && { help: `operators are lowercase: \`${lower}\`` }),
  }
})

/** `sort status desc`, `sort -status`, `top 5 status`, `reduce message`. */
export const missingBy = wordedAt((found: Excerpt, { name }: Identifier) => {
  const usual = name === 'reduce' ? 'message' : '_time'
  const by = `by ${isSimple(found.text) ? found.text : usual}`
  const help = { reduce: `\`reduce ${by}\``, top: `\`top 10 ${by}\`; ${FREQUENT_HABIT}` }[name]
  return {
    code: 'missing-by',
    message: `\`${name}\` needs \`by\`.`,
    label: 'expected `by`',
    help: help ?? `\`${name} ${by} desc\``,
  }
})

function whatIs({ text }: Excerpt): string {
  return text === '' ? 'the end of the query' : inBackticks(text)
}

/** A token that the grammar does not allow here; `known` are words to suggest from. */
export const unexpected = wordedAt(
  (found: Excerpt, expected: string, known: readonly string[] = []) => ({
    code: 'syntax',
    message: `Expected ${expected}, found ${whatIs(found)}.`,
    label: found.text === '' ? 'end of the query' : (suggestion(found.text, known) ?? 'unexpected'),
  }),
)

/** `project status, | …`, `summarize count(), by status`. */
export const trailingComma = worded({
  code: 'syntax',
  message: 'Nothing follows this `,`.',
  label: 'one comma too many',
})

/** `project status method`. */
export function withoutComma(found: Problem): Problem {
  return { ...found, help: 'separate columns with commas: `project status, method`' }
}

/** `summarize avg duration`. */
export function withoutCall(found: Problem, { text }: Excerpt, aggregate: string): Problem {
  const argument = isSimple(text) ? text : 'duration'
  return {
    ...found,
    help: `an aggregation needs parentheses: \`summarize ${aggregate}(${argument})\``,
  }
}

/** `logs status=404`, `logs "timeout"`, `logs, traces`, `status=404`. */
export function withoutPipe(found: Problem, { isOfInput }: { isOfInput: boolean }): Problem {
  const help = isOfInput
    ? 'conditions follow `where`: `where status == 404 and level == "error"`; words, `search "timeout"`'
    : 'conditions follow `| where`: `[\'logs\'] | where status == 404`; words, `| search "timeout"`; for several datasets, use `union logs, traces`'
  return { ...found, help }
}

/** `logs || count`. */
export function withTwoPipes(found: Problem): Problem {
  return { ...found, help: 'operators are separated by one `|`' }
}

/** `search error timeout`. */
export function withoutQuotes(found: Problem): Problem {
  const help =
    'words are in quotes: `search "error" and "timeout"`, or a phrase, `search "timed out"`'
  return { ...found, help }
}

/** `'it''s'`: a quote in a string, as in SQL. */
export function withDoubledQuote(found: Problem): Problem {
  return { ...found, help: 'in a string, write a quote as `\'\\\'\'` or `"\\""`' }
}

/** `-- a comment`. */
export const commentOfSql = worded({
  code: 'other-language',
  message: '`--` does not start a comment.',
  label: 'from another language',
  help: 'comments start with //',
})

/** `between (1 and 5)`. */
export function withoutUpperBound(found: Excerpt): Problem {
  const help = 'both ends are in the parentheses: `_time between (ago(1d) .. now())`'
  return { ...unexpected(found, '`..` and the upper bound'), help }
}

/** `parse "user=*" as user`. */
export function missingPattern(found: Excerpt): Problem {
  const help = 'for example `parse message with * "user=" user " " *`'
  return { ...unexpected(found, '`with` and a pattern'), help }
}

/** `uri matches "^/api/"`. */
export function missingRegex(found: Excerpt): Problem {
  return { ...unexpected(found, '`regex`'), help: 'for example `uri matches regex "^/api/"`' }
}

/**
 * `status in 200`, `status between 1 and 5`, `"new" in tags`; `example` is the right side of the operator in the help. `isName` is true
 * when the right side is a name.
 */
export const missingParentheses = wordedAt(
  (_: Span, operator: string, { example, isName }: { example: string; isName: boolean }) => {
    const list = operator.startsWith('has') ? '("error", "fail")' : example
    const field = operator.startsWith('has') ? 'message' : 'status'
    const mayBeArray = isName && /^!?in~?$/.test(operator)
    const array = '; to find a value in an array, use `set_has_element(tags, "new")`'
    return {
      code: 'missing-parentheses',
      message: `The right side of \`${operator}\` must be in parentheses.`,
      label: 'expected `(`',
      help: `for example \`${field} ${operator} ${list}\`${mayBeArray ? array : ''}`,
    }
  },
)

export const unclosedBracket = wordedAt((_: Span, bracket: '(' | '[') => ({
  code: 'unclosed-bracket',
  message: `This \`${bracket}\` is never closed.`,
  label: `missing \`${bracket === '(' ? ')' : ']'}\``,
}))

export const unopenedBracket = wordedAt((_: Span, bracket: ')' | ']') => ({
  code: 'unopened-bracket',
  message: `Unmatched \`${bracket}\`.`,
  label: `no matching \`${bracket === ')' ? '(' : '['}\``,
}))

export const tooDeep = worded({
  code: 'too-deep',
  message: 'The expression is nested too deeply.',
  label: 'too many levels',
  help: 'compute parts of it with `extend`, or split a condition into several `where`',
})

export const chainedComparison = worded({
  code: 'chained-comparison',
  message: 'Comparisons cannot be chained.',
  label: 'a second comparison',
  help: 'use two comparisons: `duration > 1 and duration < 5`',
})

export const bareDynamic = worded({
  code: 'bare-dynamic',
  message: 'Array and object literals must be inside `dynamic(…)`.',
  label: 'not inside `dynamic(…)`',
  help: '`dynamic([1, 2])`, `dynamic({"a": 1})`; quote a name as in `[\'user agent\']`',
})

/** `count()`, `count by status`, `count status`. */
export const countWith = wordedAt((_: Span, what: 'parentheses' | 'fields') => ({
  code: 'syntax',
  message: `The operator \`count\` takes no ${what}.`,
  label: 'unexpected',
  help: '`count` counts all rows; to count per group, use `summarize count() by status`',
}))
