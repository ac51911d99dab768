/** The response does not follow the interface; the message says where. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`Unexpected response: ${what}.`)
    this.name = 'MalformedResponseError'
  }
}

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
