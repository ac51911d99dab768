import { parseJson } from '../../../wire/json/json-object.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { UsageError } from '../../error/usage-error.js'

/** The operators between a field and a value; longer ones precede their prefixes. */
const SIGNS = ['==', '!=', '>=', '<=', '>', '<', '='] as const
const WORDS = [
  ...['contains', 'not-contains', 'starts-with', 'not-starts-with'],
  ...['ends-with', 'not-ends-with', 'regexp', 'not-regexp'],
]

/** A field name; one that contains an operator is written in brackets and quotes, as in APL. */
const NAME = `\\[(?:'[^']*'|"[^"]*")\\]|[^=<>!].*?`

const EXISTENCE = new RegExp(`^(${NAME})\\s+(exists|not-exists)$`, 's')
const COMPARISON = new RegExp(
  `^(${NAME})(?:\\s*(${SIGNS.join('|')})\\s*|\\s+(${WORDS.join('|')})\\s+)(.*)$`,
  's',
)

/** Parses `status >= 500`, `host exists` or JSON into the JSON text of a filter. Throws a `UsageError`. */
export function parseFilter(text: string): JsonText {
  const condition = text.trim()
  if (condition.startsWith('{')) {
    if (parseJson(condition) === undefined) throw unreadable(condition)
    return condition
  }
  const [, existing, word] = EXISTENCE.exec(condition) ?? []
  if (existing !== undefined) return JSON.stringify({ op: word, field: nameOf(existing) })
  const [, field, sign, op = sign, value = ''] = COMPARISON.exec(condition) ?? []
  if (field === undefined || op === undefined) throw unreadable(text)
  const isSign = sign !== undefined
  return JSON.stringify({
    op: op === '=' ? '==' : op,
    field: nameOf(field),
    value: isSign ? scalar(value) : textOf(value),
  })
}

function nameOf(text: string): string {
  return /^\[(["'])(.*)\1\]$/s.exec(text.trim())?.[2] ?? text.trim()
}

/** Parses a number, a JSON literal or a string with or without quotes. */
function scalar(text: string): string | number | boolean | null {
  const value = parsed(text)
  if (typeof value === 'number') return isExact(value) ? value : text
  return typeof value === 'object' && value !== null ? text : ((value as string | null) ?? null)
}

function textOf(text: string): string {
  const value = parsed(text)
  return typeof value === 'string' ? value : text
}

function parsed(text: string): unknown {
  const single = /^'(.*)'$/s.exec(text)?.[1]
  const value = single ?? parseJson(text)
  return value === undefined ? text : value
}

/** False for integers that a double can't hold; they are sent as strings, which the service compares exactly. */
function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

function unreadable(text: string): UsageError {
  return new UsageError(
    `\`--filter\` takes a field, an operator and a value, as in \`'status >= 500'\`, \`'host exists'\` or \`'path starts-with /api'\`, not \`${text}\`.`,
  )
}
