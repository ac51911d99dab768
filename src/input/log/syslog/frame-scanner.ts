import { isBlank, LESS_THAN, LINE_FEED, NINE, SPACE, ZERO } from '../../../text/bytes.js'
import { MAX_LENGTH_DIGITS } from '../../../wire/octet-count.js'
import type { InputEnding, Scanner, ScanRange, ScanResult } from '../../framing.js'

/** Finds the ends of records as `findFrame` does, in bytes that arrive in chunks. */
export class FrameScanner implements Scanner {
  /** The first bytes of a record while they may be the length of a frame; undefined after them. */
  private head: string | undefined = ''
  /** The number of bytes of the current frame that have not been scanned; 0 in a line. */
  private missing = 0
  /** True when the current record contains more than white space. */
  private hasContent = false
  /** Line ends within the current frame. */
  private lines = 0

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const view = bytes.subarray(0, to)
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (at < to && events < maxEvents) {
      if (this.continuesHead(view[at]!)) {
        at += 1
        continue
      }
      const isFrame = this.missing > 0
      const recordEnd = isFrame
        ? at + this.missing
        : view.indexOf(LINE_FEED, at) + 1 || Number.POSITIVE_INFINITY
      const next = Math.min(recordEnd, to)
      this.hasContent ||= isFrame || !isBlank(view, at, next)
      if (isFrame) {
        this.missing -= next - at
        for (let feed = view.indexOf(LINE_FEED, at); feed !== -1 && feed < next; ) {
          this.lines += 1
          feed = view.indexOf(LINE_FEED, feed + 1)
        }
      }
      at = next
      if (recordEnd > to) break
      if (this.hasContent) events += 1
      lines += isFrame ? this.lines : 1
      end = at
      this.head = ''
      this.hasContent = false
      this.lines = 0
    }
    return { next: at, end, events, lines }
  }

  finish(): InputEnding {
    if (this.missing === 0) return { events: this.hasContent ? 1 : 0 }
    return { events: 0, problem: 'the input ends in the middle of its last message' }
  }

  /** Adds a byte to the length in front of a frame; returns false when the byte does not belong to one. */
  private continuesHead(byte: number): boolean {
    const { head } = this
    if (head === undefined) return false
    const isComplete = head.endsWith(' ')
    const isDigit = byte >= ZERO + (head === '' ? 1 : 0) && byte <= NINE
    const isLength =
      !isComplete && (isDigit ? head.length < MAX_LENGTH_DIGITS : byte === SPACE && head !== '')
    this.head = isLength ? head + String.fromCharCode(byte) : undefined
    this.hasContent = isLength || head !== ''
    if (isComplete && byte === LESS_THAN) this.missing = Number(head)
    return isLength
  }
}
