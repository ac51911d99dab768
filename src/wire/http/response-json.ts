import type { JsonText } from '../json/json-text.js'
import { MalformedResponseError } from './malformed-response.js'

/** The value of an answer that has to be JSON. */
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

/** The value of a part of an answer, as its text stands there; null for one that is missing. */
export function parsePartJson(text: JsonText = 'null'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedResponseError(`\`${text.slice(0, 40)}\` is not JSON`)
  }
}
