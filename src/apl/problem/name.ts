import { byWord } from '../../text/by-word.js'
import { formatInteger } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { SOURCE_FIELD } from '../../wire/json/field-path.js'
import type { Identifier } from '../syntax/ast.js'
import { quote } from '../syntax/string-literal.js'
import type { Type } from '../type.js'
import { LITERAL_HELP } from './literal.js'
import { A_TYPE, type Operand } from './operand.js'
import { type Excerpt, inBackticks, listNames, suggestion, worded, wordedAt } from './wording.js'

// Unknown names, and names of the wrong kind.

/** `habit` is the help for an operator of another language with a similar name. */
export const unknownOperator = wordedAt(
  (word: Identifier, known: readonly string[], habit?: string) => {
    const guess = suggestion(word.name, known)
    return {
      code: 'unknown-operator',
      message: `There is no operator ${inBackticks(word.name)}.`,
      label: guess ?? 'unknown operator',
      ...(guess === undefined && { help: habit ?? `operators: ${known.join(', ')}` }),
    }
  },
)

export const aggregateAsOperator = wordedAt((word: Identifier, example: string) => ({
  code: 'unknown-operator',
  message: `There is no operator ${inBackticks(word.name)}; it is an aggregation.`,
  label: 'an aggregation',
  help: `aggregations follow \`summarize\`: \`${example.split(' | ').at(-1)}\``,
}))

export const unknownDataset = wordedAt((name: Identifier, known: readonly string[]) => ({
  code: 'unknown-dataset',
  message: `There is no dataset ${inBackticks(name.name)}.`,
  label: suggestion(name.name, known) ?? 'unknown dataset',
  help: knownDatasets(known, name.name),
  missingDataset: name.name,
}))

/** An unknown dataset in a query of files, whose events are in datasets with names that the program chose. */
export const unknownDatasetOrFile = wordedAt(({ name }: Identifier) => ({
  code: 'unknown-dataset',
  message: `There is no dataset ${inBackticks(name)}.`,
  label: 'unknown dataset',
  help: 'to read events of a file, name it: `join (file("access.log") | where status >= 500) on host`',
  missingDataset: name,
}))

/** `union github*` where no dataset matches. */
export const noSuchDatasets = wordedAt((pattern: Excerpt, known: readonly string[]) => ({
  code: 'unknown-dataset',
  message: `No dataset matches ${inBackticks(pattern.text)}.`,
  label: 'no match',
  help: knownDatasets(known, pattern.text),
  missingDataset: pattern.text,
}))

function knownDatasets(known: readonly string[], name: string): string {
  if (known.length === 0) return 'there are no datasets yet; ingesting events creates one'
  return `datasets: ${listNames(known, name)}`
}

/** An unknown name where there are no columns: in `let`, `print`, `table(…)`. */
export const unknownName = wordedAt((name: Identifier, known: readonly string[]) => ({
  code: 'unknown-name',
  message: `There is no name ${inBackticks(name.name)} here.`,
  label: suggestion(name.name, known) ?? 'unknown name',
  help:
    known.length === 0
      ? 'define a name first: `let slow = 500; print slow`'
      : `defined names: ${listNames(known, name.name)}`,
}))

/** `where slow > 5` where `slow` is a query. */
export const rowsAsValue = wordedAt((name: Identifier) => ({
  code: 'rows-as-value',
  message: `${inBackticks(name.name)} is a table, not a value.`,
  label: 'a table',
  help: 'a table can be joined, queried or searched with `in`: `let slow = print x = 5; print 5 in (slow)`',
}))

/** `five | where …` where `five` is a value. */
export const valueAsRows = wordedAt((name: Identifier) => ({
  code: 'value-as-rows',
  message: `${inBackticks(name.name)} is a value, not a table.`,
  label: 'a value',
  help: "a table is a dataset or a query: `let slow = ['logs'] | where duration > 500; slow | count`",
}))

/** An unknown field on one side of a join. */
export const unknownSideField = wordedAt(
  (field: Identifier, side: 'left' | 'right', known: readonly string[]) => ({
    code: 'unknown-field',
    message: `The ${side} side of the join has no field ${inBackticks(field.name)}.`,
    label: suggestion(field.name, known) ?? `not on the ${side} side`,
    help:
      known.length === 0
        ? `the ${side} side has no fields`
        : `fields on the ${side} side: ${listNames(known, field.name)}`,
  }),
)

/** `$left` outside a join condition, or on the wrong side of `==`. */
export const sideHere = wordedAt((_: Span, side: 'left' | 'right') => ({
  code: 'side-here',
  message: `\`$${side}\` is not allowed here.`,
  label: 'not a side of this join condition',
  help: 'use `$left` and `$right` in the condition of a join: `join (["b"]) on $left.user == $right.name`',
}))

/** `join (…) on a > b`. */
export const joinCondition = worded({
  code: 'join-condition',
  message:
    'A join condition must compare a value of the left side with one of the right side by `==`.',
  label: 'not an equality of both sides',
  help: 'for example `join (["b"]) on id, $left.user == tolower($right.name)`; put other conditions in a `where` after the join',
})

export const subqueryHere = wordedAt((_: Span, operator: string) => ({
  code: 'subquery-here',
  message: `\`${operator}\` takes a list of terms, not a query.`,
  label: 'a query',
  help: 'to look up values in a query, use `in`: `where id in (["b"] | project id)`',
}))

export const tooManySources = wordedAt((_: Span, most: number) => ({
  code: 'too-many-sources',
  message: `The query reads more than ${formatInteger(most)} datasets, tables and queries.`,
  label: 'one too many',
  help: 'select fewer datasets, as in `union web*`; a name for a table counts each time it is used',
}))

export const tooManyJoins = wordedAt((_: Span, most: number) => ({
  code: 'too-many-joins',
  message: `The query has more than ${most} joins.`,
  label: 'one too many',
  help: 'to combine rows with the same fields, use `union ["a"], ["b"]`',
}))

/** `union *` of datasets with very many fields. */
export const tooManyFields = wordedAt((_: Span, most: number) => ({
  code: 'too-many-fields',
  message: `The query uses more than ${formatInteger(most)} fields of its datasets.`,
  label: 'exceeds the limit',
  help: 'select fields with `project _time, level`, search one field with `where level has "error"`, or one dataset with `search in (["logs"]) "error"`',
}))

/** Values that do not fill the rows of a `datatable`. */
export const datatableRows = wordedAt((_: Span, columns: number, values: number) => ({
  code: 'datatable-rows',
  message: `The ${values} values do not fill rows of ${columns} columns.`,
  label: `${values % columns} left over`,
  help: 'list the values row by row: `datatable(code:int, name:string)[200, "ok", 404, "not found"]`',
}))

export const wrongCell = wordedAt((value: Operand, column: Identifier, type: Type) => ({
  code: 'wrong-cell',
  message: `A value of the column ${inBackticks(column.name)} must be ${A_TYPE[type]}, not ${A_TYPE[value.type]}.`,
  label: value.type,
  help: LITERAL_HELP[type],
}))

/** A computed value in a `datatable`, a default or the name of a dataset. */
export const notWrittenOut = wordedAt((_: Span, what: string) => ({
  code: 'not-a-constant',
  message: `${what} must be a constant.`,
  label: 'not a constant',
}))

/** `declare query_parameters (service:string)` without a variable in the request. */
export const missingParameter = wordedAt((name: Identifier, given: readonly string[]) => ({
  code: 'missing-parameter',
  message: `The request has no value for the parameter ${inBackticks(name.name)}.`,
  label: 'no value',
  help:
    given.length > 0
      ? `parameters of the request: ${given.join(', ')}`
      : 'declare a default: `declare query_parameters (n:int = 5); print n`',
}))

export const wrongParameter = wordedAt((name: Identifier, type: Type, given: Type) => ({
  code: 'wrong-parameter',
  message: `The parameter ${inBackticks(name.name)} is ${A_TYPE[type]}, but its value is ${A_TYPE[given]}.`,
  label: `declared as ${type}`,
  ...(type === 'string' && {
    help: `a string has quotes, also with \`--param\`: ${inBackticks(`--param '${name.name}="5"'`)}`,
  }),
}))

export const wrongDefault = wordedAt((value: Operand, name: Identifier, type: Type) => ({
  code: 'wrong-parameter',
  message: `The parameter ${inBackticks(name.name)} is ${A_TYPE[type]}, but its default is ${A_TYPE[value.type]}.`,
  label: value.type,
  help: LITERAL_HELP[type],
}))

/** The names of `_time` in other systems. */
const TIME_HABITS: readonly string[] = ['@timestamp', 'time', 'timegenerated', 'timestamp', 'ts']

/** The names of fields of logs in other systems, and the fields that evq makes. */
const LOG_FIELDS = byWord({
  'appname program': 'app',
  hostname: 'host',
  'log_level loglevel lvl severity': 'level',
  logger_name: 'logger',
  msg: 'message',
  'procid process_id': 'pid',
  thread_name: 'thread',
})

/** The fields of `--source-fields`. */
const PLACES: readonly string[] = ['_file', '_line', '_offset']

/** A name that is not a field at this point of the pipeline. */
export function unknownField(
  field: Identifier,
  known: readonly string[],
  { mayBeText = false } = {},
): Problem {
  const isTime = known.includes('_time') && TIME_HABITS.includes(field.name.toLowerCase())
  const isNow = field.name === 'now'
  const isPlace = PLACES.includes(field.name)
  const made = ownValue(LOG_FIELDS, field.name.toLowerCase())
  const habit = isTime
    ? 'the time of an event is `_time`'
    : isPlace
      ? 'added to the events of files by --source-fields'
      : isNow
        ? 'write `now()`'
        : made !== undefined && known.includes(made)
          ? `the field is \`${made}\``
          : undefined
  const guess = habit ?? hyphenated(field.name, known) ?? suggestion(field.name, known)
  const members = known.filter((name) => name.startsWith(`${field.name}.`))
  const fields =
    known.length === 0
      ? 'there are no fields here'
      : members.length > 0
        ? `the members of an object are fields: ${listNames(members)}`
        : `fields here: ${listNames(known, field.name)}`
  const beyond = known.includes(SOURCE_FIELD)
    ? `; fields beyond the limit are in the whole event: \`${SOURCE_FIELD}[${quote(field.name)}]\``
    : ''
  return {
    code: 'unknown-field',
    message: `There is no field ${inBackticks(field.name)} at this point of the query.`,
    span: field.span,
    label: guess ?? 'unknown field',
    help:
      fields +
      beyond +
      (mayBeText && (guess === undefined || members.length > 0) ? '; put strings in quotes' : ''),
  }
}

/** `request-id`, which is a difference of two fields. */
function hyphenated(name: string, known: readonly string[]): string | undefined {
  const found = known.find((one) => one.startsWith(`${name}-`) && /^[\w.-]+$/.test(one))
  return found === undefined ? undefined : `write \`['${found}']\``
}

const MADE_HELP: Readonly<Record<string, string>> = {
  extend: 'use it in a second `extend`',
  project: 'compute it with `extend` before this `project`',
  summarize: 'use it in an `extend` after this `summarize`',
}

/** A column used in the operator that defines it. */
export const fieldMadeHere = wordedAt((field: Identifier, operator: string) => ({
  code: 'unknown-field',
  message: `There is no field ${inBackticks(field.name)} yet at this point of the query.`,
  label: `defined by this same \`${operator}\``,
  help: MADE_HELP[operator] ?? `use it in a step after this \`${operator}\``,
}))

/** `summarize count by service`. */
export const aggregateAsField = wordedAt((field: Identifier) => {
  const example = field.name === 'count' ? 'count()' : 'max(duration)'
  return {
    code: 'unknown-field',
    message: `There is no field ${inBackticks(field.name)}; an aggregation needs parentheses.`,
    label: 'an aggregation without parentheses',
    help: `for example \`summarize ${example} by status\``,
  }
})

export const unknownFunction = wordedAt((name: Identifier, known: readonly string[]) => ({
  code: 'unknown-function',
  message: `There is no function ${inBackticks(name.name)}.`,
  label: suggestion(name.name, known) ?? 'unknown function',
}))

export const unknownAggregate = wordedAt(
  (
    name: Identifier,
    { aggregates, functions }: Record<'aggregates' | 'functions', readonly string[]>,
  ) => ({
    code: 'unknown-aggregate',
    message: `There is no aggregation or function ${inBackticks(name.name)}.`,
    label: suggestion(name.name, [...aggregates, ...functions]) ?? 'unknown aggregation',
    help: `aggregations: ${aggregates.join(', ')}`,
  }),
)

export const duplicateName = wordedAt((name: Identifier) => ({
  code: 'duplicate-name',
  message: `The name ${inBackticks(name.name)} is defined twice.`,
  label: 'already defined',
  help: 'every name must be unique',
}))
