import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { toUpper, worded, wordedAt } from './wording.js'

// Other languages, and unsupported parts of APL.

interface OtherLanguage {
  readonly what: string
  readonly span: Span
  readonly help: string | undefined
}

/** A word or sign of another language. */
export const otherLanguage = wordedAt(({ what, help }: OtherLanguage) => ({
  code: 'other-language',
  message: what === '=' ? '`=` is not a comparison.' : `\`${what}\` is not APL syntax here.`,
  label: 'from another language',
  help,
}))

/** `message contains ("disk", "full")`. */
export function listOfValues(operator: string, span: Span): Problem {
  const joining = operator.startsWith('!') ? 'and' : 'or'
  const isWord = /^!?[a-z]/.test(operator)
  const list = operator.startsWith('!') ? 'status !in (200, 204)' : 'status in (200, 204)'
  return {
    code: 'other-language',
    message: `\`${operator}\` has one value on its right side, not a list.`,
    span,
    label: 'from another language',
    help: isWord
      ? `repeat the condition: \`message ${operator} "disk" ${joining} message ${operator} "full"\``
      : `to compare with a list, use \`${list}\``,
  }
}

/** `!isempty(x)`. */
export const exclamationMark = worded({
  code: 'other-language',
  message: '`!` does not negate a value.',
  label: 'from another language',
  help: 'to negate a condition, use `not(isempty(message))`',
})

export const wrongCase = wordedAt((_: Span, word: string) => ({
  code: 'wrong-case',
  message: `APL is case-sensitive: \`${word.toLowerCase()}\`, not \`${word}\`.`,
  label: `write \`${word.toLowerCase()}\``,
}))

/** A part of APL that is not supported. */
export function notSupported(known: {
  readonly what: string
  readonly span: Span
  readonly help?: string | undefined
}): Problem {
  const what = /^[a-z_]+ /.test(known.what) ? known.what : `\`${known.what}\``
  return {
    code: 'not-supported',
    message: `${what} is not supported.`.replace(/^./, toUpper),
    span: known.span,
    label: 'not supported',
    help: known.help,
  }
}
