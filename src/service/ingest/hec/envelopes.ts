import { binarySize } from '../../../text/binary-size.js'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../../text/bytes.js'
import { stringEnd } from '../../../wire/json/json-bytes.js'
import { MAX_LINE_LENGTH } from '../../../wire/limits.js'
import { HecError } from './status.js'

/** The range of an object in a body. */
interface Envelope {
  readonly start: number
  readonly end: number
}

/**
 * Yields the JSON objects in a body, which are not validated: the body is an array of objects, or a sequence of objects with or
 * without white space between them. Throws a `HecError` for other values, and when the body ends inside an object or an array.
 */
export function* envelopesIn(body: Buffer): Generator<Envelope, void> {
  let count = 0
  let inArray = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!
    if (byte === OPEN_BRACE) {
      const end = objectEnd(body, at)
      if (end === undefined) throw invalidEvent(count, INCOMPLETE)
      if (end - at > MAX_LINE_LENGTH) {
        throw invalidEvent(count, `it has more than ${binarySize(MAX_LINE_LENGTH)}`)
      }
      yield { start: at, end }
      count += 1
      at = end - 1
    } else if (byte === OPEN_BRACKET && !inArray) inArray = true
    else if (byte === CLOSE_BRACKET && inArray) inArray = false
    else if (!(isWhite(byte) || (byte === COMMA && inArray))) {
      throw invalidEvent(count, 'a JSON object expected')
    }
  }
  if (inArray) throw invalidEvent(count, INCOMPLETE)
}

const INCOMPLETE = 'the body ends inside an event'

function isWhite(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/** Returns the position after the object at a position; undefined when the body ends inside it. */
function objectEnd(body: Buffer, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) {
      const end = stringEnd(body, at)
      if (end === -1) return undefined
      at = end - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** The refusal of a request because of one event, whose position counts from 0. */
export function invalidEvent(event: number, what: string): HecError {
  return new HecError(6, {
    event,
    message: `Event ${event + 1} of the request is invalid: ${what}. None of the events were stored.`,
  })
}
