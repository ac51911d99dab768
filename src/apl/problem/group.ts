import type { Identifier } from '../syntax/ast.js'
import { inBackticks, isSimple, worded, wordedAt } from './wording.js'

// Groups and aggregations.

export const aggregateOutside = wordedAt((name: Identifier, operator: string) => ({
  code: 'aggregate-outside-summarize',
  message: `\`${name.name}\` aggregates groups of rows, but \`${operator}\` works on one row at a time.`,
  label: 'only in `summarize`',
  help: 'aggregate first, then use the result: `summarize total = count() by status | where total > 10`',
}))

export const aggregateAsKey = wordedAt((name: Identifier) => ({
  code: 'aggregate-outside-summarize',
  message: `Rows cannot be grouped by the aggregation \`${name.name}\`.`,
  label: 'belongs before `by`',
  help: 'for example `summarize count() by status`',
}))

/** `summarize count() by 5m`. */
export const timespanAsKey = worded({
  code: 'not-aggregated',
  message: 'Rows cannot be grouped by a timespan alone.',
  label: 'a timespan',
  help: 'for steps of time, use `summarize count() by bin(_time, 5m)`',
})

export const nestedAggregate = wordedAt((name: Identifier) => ({
  code: 'nested-aggregate',
  message: `The aggregation \`${name.name}\` is inside another aggregation.`,
  label: 'nested aggregation',
  help: 'use two steps: `summarize total = count() by status | summarize max(total)`',
}))

/** `tostring(arg_max(duration, uri))`. */
export const severalColumns = wordedAt((name: Identifier) => ({
  code: 'several-columns',
  message: `\`${name.name}\` returns the columns of a row, not one value.`,
  label: 'inside an expression',
  help: 'use it on its own and its columns in a later step: `summarize arg_max(duration, uri) by status | where duration > 10`',
}))

/** A field in `summarize` outside an aggregation. */
export const notGrouped = wordedAt((field: Identifier) => {
  const text = isSimple(field.name) ? field.name : 'status'
  return {
    code: 'not-aggregated',
    message: `${inBackticks(field.name)} must be aggregated or listed after \`by\`.`,
    label: 'not aggregated',
    help: `for example \`max(${text})\` or \`summarize count() by ${text}\``,
  }
})

/** `summarize 5`, `summarize now()`. */
export const noAggregate = worded({
  code: 'not-aggregated',
  message: '`summarize` needs an aggregation here.',
  label: 'not an aggregation',
  help: 'for example `count()`',
})

export const noColumnsLeft = worded({
  code: 'no-columns',
  message: 'No columns are left.',
  label: 'removes all columns',
})
