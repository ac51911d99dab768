import { parseJson } from '../json/json-object.js'

/** A response that does not follow the interface. The message describes the deviation. */
export class MalformedResponseError extends Error {
  override readonly name = 'MalformedResponseError'

  constructor(what: string) {
    super(`Unexpected response: ${what}.`)
  }

  /** Adds a short response to the message, or the beginning of a longer response that is not JSON. */
  quote(text: string): this {
    const all = text.trim()
    if (all === '') this.message += ' It is empty.'
    else if (all.length <= MAX_QUOTE) this.message += ` The service returned \`${all}\`.`
    else if (!/^[{[]/.test(all)) this.message += ` It begins with \`${all.slice(0, MAX_QUOTE)}\`.`
    return this
  }
}

const MAX_QUOTE = 120

/** Parses a response. Throws `MalformedResponseError` when it is not JSON. */
export function parseResponseJson(text: string, parse?: (text: string) => unknown): unknown {
  const value = parseJson(text, parse)
  if (value === undefined) throw new MalformedResponseError('it is not JSON')
  return value
}

/** Parses a part of a response; missing parts become null. Throws `MalformedResponseError` when it is not JSON. */
export function parsePartJson(text = 'null'): unknown {
  const value = parseJson(text)
  if (value !== undefined) return value
  throw new MalformedResponseError(`\`${text.slice(0, 40)}\` is not JSON`)
}
