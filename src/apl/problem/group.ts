import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import { inBackticks, isSimple } from './wording.js'

// Groups and their aggregates.

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
    message: `${inBackticks(field.name)} has many values in a group; an aggregate makes one of them.`,
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
