import type { JsonText } from '../json/json-text.js'
import { MalformedAnswerError } from './malformed-response.js'

/** The value of an answer that has to be JSON. */
export function answerJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text)
  } catch {
    throw new MalformedAnswerError('it is not JSON')
  }
}

/** The value of a part of an answer, as its text stands there; null for one that is missing. */
export function partJson(text: JsonText = 'null'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedAnswerError(`\`${text.slice(0, 40)}\` is not JSON`)
  }
}
