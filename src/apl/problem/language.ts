import type { Span } from '../../text/span.js'
import { type Excerpt, toUpper, worded, wordedAt } from './wording.js'

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
export const listOfValues = wordedAt(({ text: operator }: Excerpt) => {
  const joining = operator.startsWith('!') ? 'and' : 'or'
  const isWord = /^!?[a-z]/.test(operator)
  const list = operator.startsWith('!') ? 'status !in (200, 204)' : 'status in (200, 204)'
  return {
    code: 'other-language',
    message: `\`${operator}\` has one value on its right side, not a list.`,
    label: 'from another language',
    help: isWord
      ? `repeat the condition: \`message ${operator} "disk" ${joining} message ${operator} "full"\``
      : `to compare with a list, use \`${list}\``,
  }
})

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

interface Unsupported {
  readonly what: string
  readonly span: Span
  readonly help?: string | undefined
}

/** A part of APL that is not supported. */
export const notSupported = wordedAt(({ what, help }: Unsupported) => {
  const part = /^[a-z_]+ /.test(what) ? what : `\`${what}\``
  const message = `${part} is not supported.`.replace(/^./, toUpper)
  return { code: 'not-supported', message, label: 'not supported', help }
})
