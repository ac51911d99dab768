import type { Span } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import { type Excerpt, toUpper, worded, wordedAt } from './wording.js'

// Other languages, and unsupported parts of APL.

/** A word or sign of another language. */
export const otherLanguage = wordedAt(({ name }: Identifier, help: string | undefined) => ({
  code: 'other-language',
  message: name === '=' ? '`=` is not a comparison.' : `\`${name}\` is not APL syntax here.`,
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

/** `let f = (x: int) { x * 2 }`. */
export const letFunction = worded({
  code: 'not-supported',
  message: 'A query cannot define functions.',
  label: 'not supported',
  help: 'name a value or a query: `let slow = 1000; let errors = logs | where status >= 500; errors | where duration > slow`',
})

export const wrongCase = wordedAt((_: Span, word: string) => ({
  code: 'wrong-case',
  message: `APL is case-sensitive: \`${word.toLowerCase()}\`, not \`${word}\`.`,
  label: `write \`${word.toLowerCase()}\``,
}))

/** A part of APL that is not supported. */
export const notSupported = wordedAt((_: Span, what: string, help?: string) => {
  const part = /^[a-z_]+ /.test(what) ? what : `\`${what}\``
  const message = `${part} is not supported.`.replace(/^./, toUpper)
  return { code: 'not-supported', message, label: 'not supported', help }
})
