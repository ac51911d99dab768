import { formatInteger } from '../../text/integer.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { closest } from '../../text/suggest.js'
import type { Identifier } from '../syntax/ast.js'
import { type Excerpt, inBackticks, suggestion } from './wording.js'

// How a query is put together.

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
    message: `The name of the dataset ${inBackticks(name)} needs quotes in brackets.`,
    span,
    help: `written so: \`['${name.replace(/[\\']/g, '\\$&')}']\``,
  }
}

/** `[logs]`. */
export function unquotedBracketName({ text, span }: Excerpt): Problem {
  return {
    code: 'unquoted-name',
    message: `The name ${inBackticks(text)} in brackets needs quotes.`,
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
    message: `The query has more than ${formatInteger(most)} steps.`,
    span,
    label: 'one too many',
    help: 'several conditions can stand in one step: `where status >= 500 and ok`',
  }
}

/** A text longer than any that is read. */
export function textTooLong(span: Span, most: number): Problem {
  return {
    code: 'query-too-long',
    message: `The text of the query is longer than ${formatInteger(most)} characters.`,
    span,
    label: 'read up to here',
    help: LONG_LIST_HELP,
  }
}

/** `status in (1, 2, 3, …)`. */
export function tooManyTokens(span: Span, most: number): Problem {
  return {
    code: 'query-too-long',
    message: `The query has more than ${formatInteger(most)} words, values and signs.`,
    span,
    label: 'one too many',
    help: LONG_LIST_HELP,
  }
}

const LONG_LIST_HELP =
  "a long list can be stored as a dataset and looked into: `['logs'] | where id in ((['ids'] | project id))`"

/** `let a = b + b; let b = c + c; …`: a short text, and more values than there is time for. */
export function tooHeavy(span: Span): Problem {
  return {
    code: 'query-too-long',
    message:
      'The query is made of too many values, those that a name stands for counted at each use.',
    span,
    label: 'one too many',
    help: 'a column that `extend` made counts once, however often it is used',
  }
}

/** `join on id`, `union`. */
export function missingOperand(found: Excerpt): Problem {
  const where = found.text === '' ? 'The query ends' : `${inBackticks(found.text)} stands`
  return {
    code: 'missing-operand',
    message: `${where} where a dataset or a query in parentheses should be.`,
    span: found.span,
    label: 'no rows here',
    help: "`join (['b'] | where ok) on id`, `union ['b'], (['c'] | limit 10)`",
  }
}

export function missingOn(word: Identifier, found: Excerpt): Problem {
  return {
    code: 'missing-on',
    message: `\`${word.name}\` has no \`on\` here.`,
    span: found.span,
    label: `\`on\` belongs ${found.text === '' ? 'here' : `before ${inBackticks(found.text)}`}`,
    help: `\`${word.name} (['b']) on id\`, \`${word.name} (['b']) on $left.user == $right.name\``,
  }
}

/** SQL's words for kinds of joins. */
const JOIN_HABITS: ReadonlyMap<string, string> = new Map([
  ['left', 'leftouter'],
  ['right', 'rightouter'],
  ['full', 'fullouter'],
  ['outer', 'fullouter'],
])

/** `kind=left`. */
export function unknownJoinKind(found: Excerpt, known: readonly string[]): Problem {
  const guess = JOIN_HABITS.get(found.text.toLowerCase()) ?? closest(found.text, known)
  return {
    code: 'unknown-join-kind',
    message: `${found.text === '' ? 'Nothing' : inBackticks(found.text)} is not a kind of join.`,
    span: found.span,
    label: guess === undefined ? 'not a kind of join' : `close to \`${guess}\``,
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
  const lower = word.name.toLowerCase()
  return {
    code: 'missing-pipe',
    message: `There is no \`|\` before \`${word.name}\`.`,
    span: word.span,
    label: 'a `|` belongs before it',
    ...(word.name !== lower && { help: `operators are written small: \`${lower}\`` }),
  }
}

export function missingBy(word: Identifier, found: Excerpt): Problem {
  return {
    code: 'missing-by',
    message: `\`${word.name}\` has no \`by\` here.`,
    span: found.span,
    label: `\`by\` belongs ${found.text === '' ? 'here' : `before ${inBackticks(found.text)}`}`,
    help: word.name === 'top' ? '`top 10 by _time`' : `\`${word.name} by _time desc\``,
  }
}

/** Something else than what should be here; `known` are words that it may be a slip for. */
export function unexpected(
  found: Excerpt,
  expected: string,
  known: readonly string[] = [],
): Problem {
  const end = found.text === ''
  return {
    code: 'syntax',
    message: end
      ? `The query ends where ${expected} should be.`
      : `${inBackticks(found.text)} stands where ${expected} should be.`,
    span: found.span,
    label: end ? 'the end' : (suggestion(found.text, known) ?? 'not here'),
  }
}

/** `project status method`. */
export function withoutComma(found: Problem): Problem {
  return { ...found, help: 'columns stand with commas between them: `project status, method`' }
}

interface MissingParentheses {
  readonly operator: string
  /** What might stand in them. */
  readonly example: string
  readonly found: Excerpt
}

/** `status in 200`, `status between 1 and 5`. */
export function missingParentheses({ operator, example, found }: MissingParentheses): Problem {
  const ofTexts = `message ${operator} ("error", "fail")`
  const whole = operator.startsWith('has') ? ofTexts : `status ${operator} ${example}`
  return {
    code: 'missing-parentheses',
    message: `What follows \`${operator}\` stands in parentheses.`,
    span: found.span,
    label: 'a `(` belongs here',
    help: `for example \`${whole}\``,
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
