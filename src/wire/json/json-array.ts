/** What stands at the place where a scan stopped. */
type ArrayToken =
  /** The array's opening bracket. */
  | 'open'
  /** The comma after an element. */
  | 'comma'
  /** The array's closing bracket. */
  | 'close'
  /** A line feed between or inside elements. */
  | 'line-feed'
  /** A line feed inside a string, where JSON allows none. */
  | 'line-feed-in-string'
  /** A byte that can't stand there: no element before a comma, or something after the array. */
  | 'misplaced'

const BLANK = 1
const QUOTE = 2
const OPEN = 3
const CLOSE = 4
const COMMA = 5
const LINE_FEED = 6

/** What each byte means outside a string; most mean nothing. */
const MEANING = new Uint8Array(256)
for (const byte of Buffer.from(' \t\r')) MEANING[byte] = BLANK
for (const byte of Buffer.from('[{')) MEANING[byte] = OPEN
for (const byte of Buffer.from(']}')) MEANING[byte] = CLOSE
MEANING[0x22] = QUOTE
MEANING[0x2c] = COMMA
MEANING[0x0a] = LINE_FEED

const QUOTE_BYTE = 0x22
const BACKSLASH = 0x5c
const LINE_FEED_BYTE = 0x0a
const CLOSING_BRACKET = 0x5d

/**
 * Finds the elements of a JSON array in bytes that come in any pieces, without reading the elements
 * themselves: what is inside one is somebody else's to judge.
 */
export class ArrayScanner {
  /** What stands where the last scan stopped. */
  token: ArrayToken = 'open'
  /** Elements that a comma or the closing bracket has ended. */
  elements = 0
  /** 0 outside the array, 1 between its brackets, more inside an element. */
  #depth = 0
  #opened = false
  #closed = false
  #inString = false
  #escaped = false
  /** Whether there is an element since the last comma: begun, or a container or string that is whole. */
  #element: 'none' | 'begun' | 'whole' = 'none'

  /** Elements that are there to their last byte, ended or not. */
  get wholeElements(): number {
    return this.#element === 'whole' ? this.elements + 1 : this.elements
  }

  /** Whether the array's closing bracket was found. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** Whether the bytes so far end in the middle of an element. */
  get isInsideElement(): boolean {
    return this.#element === 'begun'
  }

  /** The position of the next mark at or after `from`; -1 when the piece ends before one. */
  next(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (this.#inString) {
        at = this.#string(bytes, at)
        if (at < bytes.length && bytes[at] === LINE_FEED_BYTE)
          return this.#stop('line-feed-in-string', at)
        at += 1
        continue
      }
      const meaning = MEANING[bytes[at]!]!
      if (meaning === LINE_FEED) return this.#stop('line-feed', at)
      if (meaning !== BLANK && (this.#closed || !this.#opened)) return this.#outside(meaning, at)
      if (meaning === 0) this.#begin()
      else if (meaning === QUOTE) {
        this.#begin()
        this.#inString = true
      } else if (meaning === OPEN) {
        this.#begin()
        this.#depth += 1
      } else if (meaning === CLOSE) {
        if (this.#depth === 1) return this.#end(bytes[at]!, at)
        this.#depth -= 1
        if (this.#depth === 1) this.#element = 'whole'
      } else if (meaning === COMMA && this.#depth === 1) {
        return this.#stop(this.#endElement() ? 'comma' : 'misplaced', at)
      }
      at += 1
    }
    return -1
  }

  /** Goes through a string to its end or a line feed, and returns where that is. */
  #string(bytes: Uint8Array, from: number): number {
    let at = from
    if (this.#escaped && bytes[at] !== LINE_FEED_BYTE) {
      this.#escaped = false
      at += 1
    }
    while (at < bytes.length) {
      const byte = bytes[at]!
      if (byte === QUOTE_BYTE) {
        this.#inString = false
        if (this.#depth === 1) this.#element = 'whole'
        return at
      }
      if (byte === LINE_FEED_BYTE) {
        this.#escaped = false
        return at
      }
      if (byte === BACKSLASH) {
        if (at + 1 === bytes.length) this.#escaped = true
        else if (bytes[at + 1] === LINE_FEED_BYTE) return at + 1
        at += 1
      }
      at += 1
    }
    return at
  }

  #begin(): void {
    if (this.#depth === 1) this.#element = 'begun'
  }

  #outside(meaning: number, at: number): number {
    if (this.#closed || meaning !== OPEN) return this.#stop('misplaced', at)
    this.#opened = true
    this.#depth = 1
    return this.#stop('open', at)
  }

  #end(byte: number, at: number): number {
    const isEmpty = this.elements === 0 && this.#element === 'none'
    if (byte !== CLOSING_BRACKET || !(isEmpty || this.#endElement()))
      return this.#stop('misplaced', at)
    this.#closed = true
    this.#depth = 0
    return this.#stop('close', at)
  }

  #endElement(): boolean {
    if (this.#element === 'none') return false
    this.#element = 'none'
    this.elements += 1
    return true
  }

  #stop(mark: ArrayToken, at: number): number {
    this.token = mark
    return at
  }
}
