import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import { type Operand, TYPE_NOUN } from './operand.js'
import { type Excerpt, inBackticks, suggestion } from './wording.js'

// Operators that take texts apart, choose columns, or expand.

/** `:strin`, `typeof(lng)`. */
export function unknownType(found: Excerpt): Problem {
  const known = ['bool', 'datetime', 'dynamic', 'int', 'real', 'string', 'timespan']
  return {
    code: 'not-a-type',
    message:
      found.text === ''
        ? 'The query ends where the name of a type should be.'
        : `There is no type ${inBackticks(found.text)}.`,
    span: found.span,
    label: suggestion(found.text, [...known, 'double', 'long']) ?? 'not a type',
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
    message: `Nothing says where ${inBackticks(name.name)} ends.`,
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
    message: `There is a column ${inBackticks(name.name)} already.`,
    span: name.span,
    label: 'the name of another column',
    help: 'the other column is left out first by `project-away`, or gets a new name itself',
  }
}

/** `sample 10`. */
export function badShare(written: Excerpt): Problem {
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

interface SeriesTime {
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
