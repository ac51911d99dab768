import { binarySize } from '../../../text/binary-size.js'
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../../text/bytes.js'
import { MAX_LINE_LENGTH } from '../../../wire/limits.js'
import { HecError } from './status.js'

/**
 * Finds the JSON objects in a body that arrives in pieces. The body is an array of objects, or a sequence of objects with or
 * without white space between them. The objects are not validated.
 */
export class EnvelopeSplitter {
  count = 0
  /** The beginning of an object that continues in the next piece. */
  private begun: Buffer[] = []
  private begunBytes = 0
  private depth = 0
  private inString = false
  private isEscaped = false
  private inArray = false

  /** Returns the objects that end in the next bytes. Throws a `HecError` for other values between them. */
  push(bytes: Buffer): readonly Buffer[] {
    const found: Buffer[] = []
    let start = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false
        else if (byte === BACKSLASH) this.isEscaped = true
        else if (byte === QUOTE) this.inString = false
      } else if (this.depth === 0) {
        if (byte === OPEN_BRACE) {
          start = at
          this.depth = 1
        } else this.between(byte)
      } else if (byte === QUOTE) this.inString = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.depth -= 1
        if (this.depth === 0) found.push(this.take(bytes.subarray(start, at + 1)))
      }
    }
    if (this.depth > 0) this.begin(bytes.subarray(start))
    return found
  }

  /** Throws a `HecError` when the body ends inside an object or an array. */
  end(): void {
    if (this.depth > 0 || this.inArray) throw this.invalid('the body ends inside an event')
  }

  private between(byte: number): void {
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return
    if (byte === OPEN_BRACKET && !this.inArray) this.inArray = true
    else if (byte === CLOSE_BRACKET && this.inArray) this.inArray = false
    else if (byte !== COMMA || !this.inArray) throw this.invalid('a JSON object expected')
  }

  private begin(bytes: Buffer): void {
    this.begun.push(bytes)
    this.begunBytes += bytes.length
    if (this.begunBytes > MAX_LINE_LENGTH)
      throw this.invalid(`it has more than ${binarySize(MAX_LINE_LENGTH)}`)
  }

  private take(bytes: Buffer): Buffer {
    this.begin(bytes)
    const whole = this.begun.length === 1 ? bytes : Buffer.concat(this.begun)
    this.begun = []
    this.begunBytes = 0
    this.count += 1
    return whole
  }

  private invalid(what: string): HecError {
    return invalidEvent(this.count, what)
  }
}

/** The refusal of a request because of one event, whose position counts from 0. */
export function invalidEvent(event: number, what: string): HecError {
  return new HecError(6, {
    event,
    message: `Event ${event + 1} of the request is invalid: ${what}. None of the events were stored.`,
  })
}
