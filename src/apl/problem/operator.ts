import { formatInteger } from '../../text/integer.js'
import type { Span } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import { A_TYPE, type Operand } from './operand.js'
import { type Excerpt, inBackticks, suggestion, worded, wordedAt } from './wording.js'

// Operators that parse, redact, rename, sample, expand, or make series.

/** `:strin`, `typeof(lng)`. */
export const unknownType = wordedAt((found: Excerpt) => {
  const known = Object.keys(A_TYPE).sort()
  return {
    code: 'not-a-type',
    message:
      found.text === ''
        ? 'Expected a type, found the end of the query.'
        : `There is no type ${inBackticks(found.text)}.`,
    label: suggestion(found.text, [...known, 'double', 'long']) ?? 'unknown type',
    help: `types: ${known.join(', ')}`,
  }
})

/** `search field:other`. */
export const termExpected = worded({
  code: 'syntax',
  message: 'In a `search`, `:` must be followed by a string in quotes.',
  label: 'not a quoted string',
  help: '`search method:"get"`; to compare two fields, use `==`',
})

/** `parse-kv` without its delimiters. */
export const noDelimiter = worded({
  code: 'syntax',
  message: '`parse-kv` needs a `pair_delimiter` and a `kv_delimiter`.',
  label: 'missing delimiter',
  help: '`parse-kv message as (status:int) with (pair_delimiter=";", kv_delimiter="=")`',
})

/** `redact replaceToken="x" replaceHash=true …`. */
export const twoCovers = worded({
  code: 'syntax',
  message: '`replaceToken` and `replaceHash` cannot be combined.',
  label: 'conflicts with the first',
  help: '`redact replaceHash=true @"\\d+" on message`',
})

const REDACT_GROUP_FLAWS = {
  none: 'With `redactGroups`, the regular expression needs a capturing group.',
  inside: 'With `redactGroups`, a capturing group cannot be inside a non-capturing group.',
  many: 'With `redactGroups`, the regular expression has too many groups.',
} as const

export type RedactGroupFlaw = keyof typeof REDACT_GROUP_FLAWS

/** `redactGroups=true` with a regex that has no group, or an unsupported one. */
export const redactableGroups = wordedAt((_: Span, flaw: RedactGroupFlaw) => ({
  code: 'redact-groups',
  message: REDACT_GROUP_FLAWS[flaw],
  label: flaw === 'none' ? 'no capturing group' : 'unsupported groups',
  help: '`redact redactGroups=true @"/users/(.*)" on uri`',
}))

/** `redact` with very many regexes. */
export const tooManyRegexes = wordedAt((_: Span, most: number) => ({
  code: 'query-too-long',
  message: `\`redact\` has more than ${most} regular expressions.`,
  label: 'one too many',
  help: 'combine several in one: `redact @"[0-9]{16}|[0-9]{3}-[0-9]{4}" on message`',
}))

/** `parse message with a b`. */
export const captureWithoutEnd = wordedAt((name: Identifier) => ({
  code: 'capture-without-end',
  message: `Nothing marks the end of ${inBackticks(name.name)}.`,
  label: 'expected a string after this',
  help: '`parse message with "user " user " did " action`; a number ends with its digits: `parse message with * "id=" id:int *`',
}))

/** `project-rename a = b*`. */
export const patternRenamed = worded({
  code: 'star',
  message: 'A pattern with `*` cannot be renamed: it may match several columns.',
  label: 'a pattern',
  help: "`project-rename city = ['geo.city'], country = ['geo.country']`",
})

/** A new name that another column already has. */
export const nameInUse = wordedAt((name: Identifier) => ({
  code: 'duplicate-name',
  message: `The column ${inBackticks(name.name)} already exists.`,
  label: 'name of another column',
  help: 'drop the other column with `project-away` first, or rename it as well',
}))

/** `sample 10`. */
export const badShare = worded({
  code: 'bad-share',
  message: '`sample` needs the share of rows to keep: a number greater than 0 and at most 1.',
  label: 'not a number in this range',
  help: 'for one row in ten, use `sample 0.1`; for the first ten rows, `limit 10`',
})

/** `reduce by message with threshold=5`. */
export const reduceThreshold = worded({
  code: 'bad-threshold',
  message: 'The `threshold` of `reduce` must be a constant share of the rows, from 0 to 1.',
  label: 'not a number in this range',
  help: 'for patterns of at least 1 % of the rows, use `reduce by message with threshold=0.01`',
})

/** `mv-expand split(a, ",")` without a name. */
export const unnamedExpansion = worded({
  code: 'unnamed-column',
  message: '`mv-expand` needs a name for a computed value.',
  label: 'no name',
  help: '`mv-expand part = split(uri, "/")`',
})

/** `from` or `to` of `make-series` that is not known before the query runs. */
export const notAnInstant = wordedAt((_: Span, word: string) => ({
  code: 'not-a-constant',
  message: `\`${word}\` must be a time that is known before the query runs.`,
  label: 'not a constant time',
  help: '`make-series count() on _time from ago(1d) to now() step 1h`',
}))

export const badStep = worded({
  code: 'bad-step',
  message: 'The step must be a constant timespan greater than 0.',
  label: 'not a constant timespan greater than 0',
  help: '`make-series count() on _time step 5m`',
})

/** A series without a start, in the query or the request. */
export const noRange = worded({
  code: 'no-range',
  message: 'The series has no start time.',
  label: 'no time range',
  help: '`make-series count() on _time from ago(1d) to now() step 1h`; without `from`, the series covers the time range of the request',
})

export const emptyRange = worded({
  code: 'empty-range',
  message: 'The series must end after it starts.',
  label: 'not after the start',
  help: '`make-series count() on _time from ago(1d) to now() step 1h`',
})

export const tooManySteps = wordedAt((_: Span, count: bigint) => ({
  code: 'too-many-steps',
  message: `The series would have ${formatInteger(count)} steps; the maximum is 100,000.`,
  label: 'too short for the range',
}))

/** A computed `default=` of `make-series`. */
export const computedDefault = worded({
  code: 'not-a-constant',
  message: 'The `default` of a series must be a constant.',
  label: 'not a constant',
  help: '`make-series avg(duration) default=0 on _time step 1h`',
})

/** `make-series … on status`. */
export const notATimeField = wordedAt(({ type, text }: Operand) => ({
  code: 'not-a-time',
  message: `\`make-series\` needs a datetime after \`on\`, not ${A_TYPE[type]}.`,
  label: A_TYPE[type],
  help:
    type === 'string'
      ? `convert it first: \`extend time = todatetime(${text}) | make-series count() on time step 1h\``
      : '`make-series count() on _time step 1h`',
}))

export const binAutoOutside = worded({
  code: 'bin-auto-outside-by',
  message: '`bin_auto` is only allowed in the `by` of `summarize`.',
  label: 'not allowed here',
  help: '`summarize count() by bin_auto(_time)`; elsewhere, use `bin(_time, 5m)`',
})
