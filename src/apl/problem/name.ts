import { formatInteger } from '../../text/integer.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import { quote } from '../syntax/string-literal.js'
import type { Type } from '../type.js'
import { LITERAL_HELP } from './literal.js'
import { type Operand, TYPE_NOUN } from './operand.js'
import { type Excerpt, inBackticks, listNames, suggestion, withHelp } from './wording.js'

// Names that mean nothing, or not what is needed.

interface UnknownOperator {
  readonly word: Identifier
  readonly known: readonly string[]
  /** What another language's operator of nearly that name is here. */
  readonly habit?: string | undefined
}

export function unknownOperator({ word, known, habit }: UnknownOperator): Problem {
  const guess = suggestion(word.name, known)
  return {
    code: 'unknown-operator',
    message: `There is no operator ${inBackticks(word.name)}.`,
    span: word.span,
    label: guess ?? 'not an operator',
    ...(guess === undefined && { help: habit ?? `operators: ${known.join(', ')}` }),
  }
}

export function unknownDataset(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-dataset',
    message: `There is no dataset ${inBackticks(name.name)}.`,
    span: name.span,
    label: suggestion(name.name, known) ?? 'not a dataset',
    help:
      known.length === 0
        ? 'there are no datasets yet; the first events make one'
        : `datasets here: ${listNames(known, name.name)}`,
  }
}

/** `union github*` where no dataset begins so. */
export function noSuchDatasets(pattern: Excerpt, known: readonly string[]): Problem {
  return {
    code: 'unknown-dataset',
    message: `No dataset is called like ${inBackticks(pattern.text)}.`,
    span: pattern.span,
    label: 'no dataset',
    help:
      known.length === 0
        ? 'there are no datasets yet; the first events make one'
        : `datasets here: ${listNames(known, pattern.text)}`,
  }
}

/** A name where there are no columns: in `let`, `print`, `table(…)`. */
export function unknownName(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-name',
    message: `Nothing is called ${inBackticks(name.name)} here.`,
    span: name.span,
    label: suggestion(name.name, known) ?? 'not a name here',
    help:
      known.length === 0
        ? 'a name is given by a statement: `let slow = 500; print slow`'
        : `names here: ${listNames(known, name.name)}`,
  }
}

/** `where slow > 5` where `slow` is a query. */
export function rowsAsValue(name: Identifier): Problem {
  return {
    code: 'rows-as-value',
    message: `${inBackticks(name.name)} stands for rows, not for a value.`,
    span: name.span,
    label: 'rows',
    help: 'rows can be looked into, `let slow = print x = 5; print 5 in (slow)`, joined or queried',
  }
}

/** `five | where …` where `five` is a value. */
export function valueAsRows(name: Identifier): Problem {
  return {
    code: 'value-as-rows',
    message: `${inBackticks(name.name)} stands for a value, not for rows.`,
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
    message: `The ${side} side of the join has no field ${inBackticks(field.name)}.`,
    span: field.span,
    label: suggestion(field.name, known) ?? `not on the ${side} side`,
    help:
      known.length === 0
        ? `the ${side} side has no fields`
        : `fields on the ${side} side: ${listNames(known, field.name)}`,
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

/** `union *` of datasets with very many fields. */
export function tooManyFields(span: Span, most: number): Problem {
  return {
    code: 'too-many-fields',
    message: `The query uses more than ${formatInteger(most)} fields of its datasets.`,
    span,
    label: 'has the field that is one too many',
    help: '`project _time, level` shows those that are needed, `where level has "error"` looks into one, `search in (["logs"]) "error"` into one dataset',
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
    message: `The column ${inBackticks(column.name)} holds ${TYPE_NOUN[type]} values; this is a ${TYPE_NOUN[value.type]}.`,
    span: value.span,
    label: value.type,
    ...withHelp(LITERAL_HELP[type]),
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
    message: `The request gives no value for the parameter ${inBackticks(name.name)}.`,
    span: name.span,
    label: 'no value',
    help: `a default stands behind it: \`declare query_parameters (p:${type} = ${EXAMPLE_OF[type]}); print p\``,
  }
}

export function wrongParameter(name: Identifier, type: Type, given: Type): Problem {
  return {
    code: 'wrong-parameter',
    message: `The parameter ${inBackticks(name.name)} is a ${TYPE_NOUN[type]}; the value for it is a ${TYPE_NOUN[given]}.`,
    span: name.span,
    label: `declared as ${type}`,
  }
}

export function wrongDefault(name: Identifier, type: Type, value: Operand): Problem {
  return {
    code: 'wrong-parameter',
    message: `The parameter ${inBackticks(name.name)} is a ${TYPE_NOUN[type]}; its default is a ${TYPE_NOUN[value.type]}.`,
    span: value.span,
    label: value.type,
    ...withHelp(LITERAL_HELP[type]),
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

/** What other systems call `_time`. */
const TIME_HABITS: readonly string[] = ['@timestamp', 'time', 'timegenerated', 'timestamp', 'ts']

/** The field that a dataset beyond the limit of fields has. */
const WHOLE_EVENT = '_source'

/** A name that is not a field at this point of the pipeline. */
export function unknownField(
  field: Identifier,
  known: readonly string[],
  { mayBeText = false } = {},
): Problem {
  const isTime = known.includes('_time') && TIME_HABITS.includes(field.name.toLowerCase())
  const guess = isTime ? 'the time of an event is `_time`' : suggestion(field.name, known)
  const isGroup = known.some((name) => name.startsWith(`${field.name}.`))
  const fields =
    known.length === 0 ? 'there are no fields here' : `fields here: ${listNames(known, field.name)}`
  const beyond = known.includes(WHOLE_EVENT)
    ? `; values without a field are in the whole event: \`${WHOLE_EVENT}[${quote(field.name)}]\``
    : ''
  return {
    code: 'unknown-field',
    message: `There is no field ${inBackticks(field.name)} at this point of the query.`,
    span: field.span,
    label: guess ?? 'not a field here',
    help:
      fields +
      beyond +
      (mayBeText && (guess === undefined || isGroup) ? '; a text stands in quotes' : ''),
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
    message: `There is no field ${inBackticks(field.name)} yet at this point of the query.`,
    span: field.span,
    label: `made by this same \`${operator}\``,
    help: MADE_HELP[operator] ?? `a step after this \`${operator}\` can use it`,
  }
}

/** `summarize count by service`. */
export function aggregateAsField(field: Identifier): Problem {
  const example = field.name === 'count' ? 'count()' : 'max(duration)'
  return {
    code: 'unknown-field',
    message: `There is no field ${inBackticks(field.name)}; the aggregate has parentheses.`,
    span: field.span,
    label: 'an aggregate without parentheses',
    help: `for example \`summarize ${example} by status\``,
  }
}

export function unknownFunction(name: Identifier, known: readonly string[]): Problem {
  return {
    code: 'unknown-function',
    message: `There is no function ${inBackticks(name.name)}.`,
    span: name.span,
    label: suggestion(name.name, known) ?? 'not a function',
  }
}

export function unknownAggregate(
  name: Identifier,
  { aggregates, functions }: Record<'aggregates' | 'functions', readonly string[]>,
): Problem {
  return {
    code: 'unknown-aggregate',
    message: `There is no aggregate or function ${inBackticks(name.name)}.`,
    span: name.span,
    label: suggestion(name.name, [...aggregates, ...functions]) ?? 'not an aggregate',
    help: `aggregates: ${aggregates.join(', ')}`,
  }
}

export function duplicateName(name: Identifier): Problem {
  return {
    code: 'duplicate-name',
    message: `The name ${inBackticks(name.name)} is given twice.`,
    span: name.span,
    label: 'given before',
    help: 'each column of a result has a name of its own',
  }
}
