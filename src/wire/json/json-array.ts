import { BACKSLASH, CLOSE_BRACKET, LINE_FEED, QUOTE } from '../../text/bytes.js'
import { BLANK, byteClasses, CLOSE, LINE_END, OPEN, SEPARATOR, STRING } from './json-bytes.js'

type ArrayToken =
  | 'open'
  | 'comma'
  | 'close'
  /** A line feed between or inside elements. */
  | 'line-feed'
  /** A line feed in a string, which is invalid JSON. */
  | 'line-feed-in-string'
  /** An unexpected byte: a comma without an element, or content after the array. */
  | 'misplaced'

const CLASS = byteClasses()

/**
 * Finds the elements of a JSON array in bytes that arrive in chunks of any size. The elements themselves are not
 * validated.
 */
export class ArrayScanner {
  /** The token at which the last scan stopped. */
  token: ArrayToken = 'open'
  /** The number of elements that were ended by a comma or the closing bracket. */
  elements = 0
  /** 0 outside the array, 1 between its brackets, greater inside an element. */
  private depth = 0
  private opened = false
  private closed = false
  private inString = false
  private escaped = false
  /** The state of the element after the last comma; `whole` for a complete object, array or string. */
  private element: 'none' | 'begun' | 'whole' = 'none'

  /** The number of complete elements, including a last element without a delimiter after it. */
  get wholeElements(): number {
    return this.element === 'whole' ? this.elements + 1 : this.elements
  }

  get isClosed(): boolean {
    return this.closed
  }

  /** True when the bytes so far end inside an element. */
  get isInsideElement(): boolean {
    return this.element === 'begun'
  }

  /** Returns the position of the next token at or after `from`; -1 when the chunk ends first. */
  next(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (this.inString) {
        at = this.string(bytes, at)
        if (at < bytes.length && bytes[at] === LINE_FEED)
          return this.stop('line-feed-in-string', at)
        at += 1
        continue
      }
      const meaning = CLASS[bytes[at]!]!
      if (meaning === LINE_END) return this.stop('line-feed', at)
      if (meaning !== BLANK && (this.closed || !this.opened)) return this.outside(meaning, at)
      if (meaning === 0) this.begin()
      else if (meaning === STRING) {
        this.begin()
        this.inString = true
      } else if (meaning === OPEN) {
        this.begin()
        this.depth += 1
      } else if (meaning === CLOSE) {
        if (this.depth === 1) return this.end(bytes[at]!, at)
        this.depth -= 1
        if (this.depth === 1) this.element = 'whole'
      } else if (meaning === SEPARATOR && this.depth === 1) {
        return this.stop(this.endElement() ? 'comma' : 'misplaced', at)
      }
      at += 1
    }
    return -1
  }

  /** Scans a string to its end or a line feed and returns that position. */
  private string(bytes: Uint8Array, from: number): number {
    let at = from
    if (this.escaped && bytes[at] !== LINE_FEED) {
      this.escaped = false
      at += 1
    }
    while (at < bytes.length) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.inString = false
        if (this.depth === 1) this.element = 'whole'
        return at
      }
      if (byte === LINE_FEED) {
        this.escaped = false
        return at
      }
      if (byte === BACKSLASH) {
        if (at + 1 === bytes.length) this.escaped = true
        else if (bytes[at + 1] === LINE_FEED) return at + 1
        at += 1
      }
      at += 1
    }
    return at
  }

  private begin(): void {
    if (this.depth === 1) this.element = 'begun'
  }

  private outside(meaning: number, at: number): number {
    if (this.closed || meaning !== OPEN) return this.stop('misplaced', at)
    this.opened = true
    this.depth = 1
    return this.stop('open', at)
  }

  private end(byte: number, at: number): number {
    const isEmpty = this.elements === 0 && this.element === 'none'
    if (byte !== CLOSE_BRACKET || !(isEmpty || this.endElement())) return this.stop('misplaced', at)
    this.closed = true
    this.depth = 0
    return this.stop('close', at)
  }

  private endElement(): boolean {
    if (this.element === 'none') return false
    this.element = 'none'
    this.elements += 1
    return true
  }

  private stop(mark: ArrayToken, at: number): number {
    this.token = mark
    return at
  }
}
