import { BACKSLASH, LINE_FEED, QUOTE, SPACE } from '../../text/bytes.js'
import { byteClasses, CLOSE, LINE_END, NOT_JSON, OPEN, STRING } from './json-bytes.js'

const CLASS = byteClasses()

/**
 * Passes the values of JSON that arrives in chunks. Only brackets and strings are tracked. Line ends are replaced: between
 * brackets by spaces, and in strings by bytes that are invalid, too.
 */
export class ValueScanner {
  /** The number of line ends between brackets that were replaced. */
  lines = 0
  /** The number of open brackets of the current value. */
  private depth = 0
  private inString = false
  private isEscaped = false

  /** True between the brackets of a value, or in a string. */
  get isInside(): boolean {
    return this.inString || this.depth > 0
  }

  /** Returns the position of the next byte outside of brackets and strings; `to` when there is none. */
  next(bytes: Buffer, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      if (this.inString) {
        at = this.string(bytes, at, to)
        continue
      }
      if (this.depth === 0) return at
      const meaning = CLASS[bytes[at]!]!
      if (meaning === LINE_END) {
        this.lines += 1
        bytes[at] = SPACE
      } else if (meaning > LINE_END) this.enter(meaning)
    }
    return to
  }

  /** Enters a byte of a value, other than the inside of a string. */
  enter(meaning: number): void {
    if (meaning === STRING) this.inString = true
    else if (meaning === OPEN) this.depth += 1
    else if (meaning === CLOSE && this.depth > 0) this.depth -= 1
  }

  /** Returns the position of the quote that closes a string; `to` when there is none. */
  private string(bytes: Buffer, from: number, to: number): number {
    let { isEscaped } = this
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE && !isEscaped) {
        this.inString = false
        break
      }
      if (byte === LINE_FEED) bytes[at] = NOT_JSON
      isEscaped = byte === BACKSLASH && !isEscaped
    }
    this.isEscaped = isEscaped
    return at
  }
}
