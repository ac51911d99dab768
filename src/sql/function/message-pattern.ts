import { sql, text } from '../sql.js'
import { convert } from '../type/convert.js'
import { derived, type Value } from '../value.js'

// The engine's regular expressions treat `_` as a letter at `\b` and have no look-behind; while it is replaced by this character,
// the parts of `task_0011_m_000590` are words of their own. Control characters do not occur in messages.
const UNDERSCORE = '\\x1f'

/** A word that is a number, a number with a unit, or an id: it has a letter after a digit, or is hexadecimal. */
const ID = '(?:[0-9A-Za-z]*[0-9][A-Za-z][0-9A-Za-z]*|[a-fA-F]*[0-9]+|[a-fA-F]{8,}\\b)'

/** A hardware address: it need not have a digit in its first part. */
const HARDWARE_ADDRESS = '[a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\\b'

/** Parts of an id that may have no digit: the last part of the name of a pod; parts of UUIDs and addresses. */
const OTHER_PARTS = '-[bcdfghjklmnpqrstvwxz2456789]{5}\\b|[-:]+[a-fA-F]{1,4}\\b'

/** Numbers and ids, with a sign and with everything that is joined to them by punctuation, such as dates and addresses. */
const VARIABLE = [
  '(?:\\B[-+])?',
  `(?:\\b(?:${ID}|${HARDWARE_ADDRESS})|[0-9]+)`,
  `(?:${OTHER_PARTS}|[-+.:,/${UNDERSCORE}]+${ID})*`,
].join('')

const BLANKS = '[ \\t]{2,}|\\t'

/**
 * Returns the pattern of a message: numbers and ids are `*`, and each run of blanks is one. It depends on nothing but the message,
 * so that the same event has the same pattern in each query.
 */
export function messagePattern([message]: readonly Value[]): Value {
  const { sql: source } = convert(message!, 'string')
  const words = sql`translate(${source}, '_', ${text('\x1f')})`
  const masked = sql`replaceRegexpAll(${words}, ${text(VARIABLE)}, '*')`
  const spaced = sql`replaceRegexpAll(${masked}, ${text(BLANKS)}, ' ')`
  return derived('string', sql`translate(${spaced}, ${text('\x1f')}, '_')`, [message!])
}
