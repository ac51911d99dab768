import { CLOSE_BRACE, CLOSE_BRACKET, LINE_FEED, OPEN_BRACKET, SPACE } from '../text/bytes.js'
import { BLANK, byteClasses, CLOSE, LINE_END, OPEN, SEPARATOR } from '../wire/json/json-bytes.js'
import { ValueScanner } from '../wire/json/value-scanner.js'
import type { Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'
import { ndjsonFraming } from './ndjson.js'
import type { RecordsStart } from './records-start.js'

const CLASS = byteClasses()

// JSON that is not NDJSON becomes NDJSON in place: a line feed replaces the separator after an event, and a space all other line
// ends and separators.

export function jsonFraming(form: JsonForm, { isClosed } = { isClosed: false }): Framing {
  return {
    ...ndjsonFraming(),
    scanner: new JsonScanner(form, isClosed),
    restart: (previous) => jsonFraming(form, { isClosed: previous === CLOSE_BRACKET }),
    sourceType: 'application/json',
  }
}

const MORE_CONTENT = 'the document is followed by more content'

type JsonForm =
  /** `[{…}, {…}]`, read from the byte after the opening bracket. */
  | { readonly kind: 'array' }
  /**
   * An array inside of `objects` objects. The rest of the document is not read as events, but must have the brackets that close it.
   * Further documents may follow, as `cat` joins files: each begins with `head`, apart from white space.
   */
  | (Pick<RecordsStart, 'objects' | 'head'> & { readonly kind: 'records' })
  /**
   * Objects with white space or commas between them: objects of several lines each, as `jq` prints them, several objects in a line, or
   * lines that end with a comma.
   */
  | { readonly kind: 'sequence' }

/**
 * Ends the event in front of an object that follows without a separator, as `cat` joins files without a last line end: moves the brace
 * of the event over the white space in front of it. Returns false when there is none, as in objects on one line.
 */
function endBefore(bytes: Buffer, at: number): boolean {
  if (at < 2 || bytes[at - 1] !== CLOSE_BRACE || bytes[at - 2] !== SPACE) return false
  bytes[at - 2] = CLOSE_BRACE
  bytes[at - 1] = LINE_FEED
  return true
}

/** Finds the elements; the service checks whether they are well-formed. */
class JsonScanner implements Scanner {
  private readonly kind: JsonForm['kind']
  private readonly values = new ValueScanner()
  /** True in an element. */
  private hasContent = false
  /** True after the closing bracket of the array. */
  private isClosed: boolean
  /** Set when the array, or the document with it, is followed by content that does not belong to it. */
  private excess: string | undefined
  /** The number of objects around the array that are not closed. */
  private outside: number
  private readonly objects: number
  private readonly head: Buffer
  /** The number of bytes of `head` with which the next document begins. */
  private headLength = 0
  /** True after the array, until more of the document follows. */
  private isAfterArray = true
  /** Number of complete elements. */
  private elements = 0
  /** The number of elements before the first comma that has no element on one of its sides. */
  private gap: number | undefined
  private followsComma = false

  constructor(form: JsonForm, isClosed: boolean) {
    const { objects, head } = form.kind === 'records' ? form : { objects: 0, head: '' }
    this.kind = form.kind
    this.outside = this.objects = objects
    this.head = Buffer.from(head, 'latin1')
    this.isClosed = isClosed
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const { values } = this
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    for (; at < to && events < maxEvents; at++) {
      const isRest = this.isClosed && this.kind === 'records'
      const before = at
      at = values.next(bytes, at, to)
      // Events of another document may follow.
      if (isRest) bytes.fill(SPACE, before, at)
      if (at === to) break
      let meaning = CLASS[bytes[at]!]!
      if (meaning === LINE_END) {
        meaning = BLANK
        values.lines += 1
        bytes[at] = SPACE
      }
      const isNext = meaning === OPEN && this.hasContent && this.kind === 'sequence'
      if (isRest) this.enterRest(meaning, bytes, at)
      else if (isNext && endBefore(bytes, at)) {
        events += 1
        lines += values.lines
        values.lines = 0
        end = at
        at -= 1
        this.hasContent = false
      } else if (!this.isSeparator(meaning, bytes[at]!)) this.enter(meaning, bytes, at)
      else if (this.separate(bytes, at)) {
        events += 1
        lines += values.lines
        values.lines = 0
        end = at + 1
      }
    }
    return { next: at, end, events, lines }
  }

  finish(): InputEnding {
    const { isInside } = this.values
    if (this.excess !== undefined) return { events: 0, problem: this.excess }
    if (this.headLength > 0) return { events: 0, problem: MORE_CONTENT }
    if (this.isClosed && (this.outside > 0 || isInside)) {
      return { events: 0, problem: 'the input ends before the end of the document' }
    }
    if (isInside) return { events: 0, problem: 'the input ends in the middle of an event' }
    const events = this.hasContent ? 1 : 0
    if (this.kind === 'sequence') return { events }
    if (this.isClosed) return { events: 0, ...this.gapProblem() }
    return { events, problem: 'the input ends before the end of the array' }
  }

  private gapProblem(): Pick<InputEnding, 'problem'> {
    if (this.gap === undefined) return {}
    const place = this.gap === 0 ? 'before the first event' : `after event ${this.gap}`
    return { problem: `a comma ${place} of the array has no event next to it` }
  }

  private isSeparator(meaning: number, byte: number): boolean {
    if (this.isClosed) return false
    if (this.kind !== 'sequence') return meaning === SEPARATOR || byte === CLOSE_BRACKET
    // White space ends an event before the comma does.
    return meaning === SEPARATOR || (this.hasContent && meaning === BLANK)
  }

  /**
   * Returns true when the separator ends an event. The separator is then replaced by a line feed, otherwise by a space.
   */
  private separate(bytes: Buffer, at: number): boolean {
    const endsEvent = this.hasContent
    const closes = this.kind !== 'sequence' && bytes[at] === CLOSE_BRACKET
    if (endsEvent) this.elements += 1
    else if (!closes || this.followsComma) this.gap ??= this.elements
    this.followsComma = !closes
    if (closes) this.isClosed = true
    bytes[at] = endsEvent ? LINE_FEED : SPACE
    this.hasContent = false
    return endsEvent
  }

  /** Handles a byte that is not a separator. */
  private enter(meaning: number, bytes: Buffer, at: number): void {
    if (meaning === BLANK) return
    if (this.isClosed) this.reopen(bytes, at)
    else {
      this.hasContent = true
      this.values.enter(meaning)
    }
  }

  /** Handles content after an array: consecutive arrays are read as one. */
  private reopen(bytes: Buffer, at: number): void {
    if (bytes[at] === OPEN_BRACKET && this.excess === undefined) {
      this.isClosed = false
      bytes[at] = SPACE
    } else {
      this.excess = 'the array is followed by more content'
    }
  }

  /** Handles a byte of the document after its array, or of the next document up to its array. */
  private enterRest(meaning: number, bytes: Buffer, at: number): void {
    if (meaning === BLANK) return
    const byte = bytes[at]
    bytes[at] = SPACE
    if (this.outside === 0 && this.excess === undefined && byte === this.head[this.headLength]) {
      this.enterHead()
      return
    }
    if (this.outside === 0) this.excess ??= MORE_CONTENT
    else if (this.isAfterArray && meaning !== SEPARATOR && meaning !== CLOSE) {
      this.excess ??= 'the array is followed by content that is not JSON'
    }
    this.isAfterArray = false
    this.values.enter(meaning)
    if (meaning === CLOSE && this.outside > 0) this.outside -= 1
  }

  private enterHead(): void {
    this.headLength += 1
    if (this.headLength < this.head.length) return
    this.headLength = 0
    this.outside = this.objects
    this.isAfterArray = true
    this.isClosed = false
  }
}
