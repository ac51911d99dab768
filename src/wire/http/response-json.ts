/** The response does not follow the interface; the message says where, and repeats a short response. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`Unexpected response: ${what}.`)
    this.name = 'MalformedResponseError'
  }

  /** Adds the response to the message: all of a short one, the beginning of a page that is not JSON. */
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
export function parseResponseJson(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return parse(text)
  } catch {
    throw new MalformedResponseError('it is not JSON')
  }
}

/** Parses a part of a response; missing parts become null. Throws `MalformedResponseError` when it is not JSON. */
export function parsePartJson(text = 'null'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedResponseError(`\`${text.slice(0, 40)}\` is not JSON`)
  }
}
