import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { toUpper, withHelp } from './wording.js'

// Other languages, other versions.

interface OtherLanguage {
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
    ...withHelp(help),
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
    message: `${what} is APL that this version does not run.`.replace(/^./, toUpper),
    span: known.span,
    label: 'not in this version',
    ...withHelp(known.help),
  }
}
