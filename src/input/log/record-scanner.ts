import { CARRIAGE_RETURN, LESS_THAN, NINE, SPACE, ZERO } from '../../text/bytes.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import { MAX_LENGTH_DIGITS } from '../../wire/octet-count.js'
import type { InputEnding, Scanner, ScanRange, ScanResult } from '../framing.js'
import { isBlankIn } from './multiline/event-lines.js'

/**
 * Finds the extents of records that are lines, or if `hasFrames` is true, lines and frames with their length in front (RFC 6587,
 * octet counting).
 */
export class RecordScanner implements Scanner {
  private readonly hasFrames: boolean
  /** The first characters of a record while they may be the length of a frame; undefined after them. */
  private head: string | undefined
  /** The number of bytes of the current frame that have not been scanned; 0 in a line. */
  private missing = 0
  /** True when the current record contains more than white space. */
  private hasContent = false
  /** Line ends within the current frame. */
  private lines = 0
  /** The start of the current record, negative: relative to the end of the scanned bytes. */
  private start = 0
  /** True when the last scanned byte is a carriage return. */
  private endsWithReturn = false

  constructor({ hasFrames }: { readonly hasFrames: boolean }) {
    this.hasFrames = hasFrames
    this.beginRecord()
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const text = bytes.toString('latin1', from, to)
    const extents: number[] = []
    let start = from + this.start
    let at = 0
    let end = -1
    let lines = 0
    while (at < text.length && extents.length < maxEvents * 2) {
      if (this.head !== undefined) {
        if (this.continuesHead(text.charCodeAt(at))) {
          at += 1
          continue
        }
        if (this.missing > 0) start = from + at
      }
      const isFrame = this.missing > 0
      const recordEnd = isFrame
        ? at + this.missing
        : text.indexOf('\n', at) + 1 || Number.POSITIVE_INFINITY
      const next = Math.min(recordEnd, text.length)
      this.hasContent ||= isFrame || !isBlankIn(text, at, next)
      if (isFrame) {
        this.missing -= next - at
        this.lines += lineFeeds(text, at, next)
      }
      at = next
      if (recordEnd > text.length) break
      end = from + at
      if (this.hasContent) {
        extents.push(start, isFrame ? frameEnd(bytes, start, end) : lineEnd(bytes, start, end - 1))
      }
      lines += isFrame ? this.lines : 1
      start = end
      this.beginRecord()
    }
    const next = from + at
    this.start = start - next
    this.endsWithReturn = bytes[next - 1] === CARRIAGE_RETURN
    return { next, end, events: extents.length / 2, lines, extents }
  }

  finish(): InputEnding {
    if (this.missing > 0) {
      return { events: 0, problem: 'the input ends in the middle of its last message' }
    }
    if (!this.hasContent) return { events: 0 }
    return { events: 1, extents: [this.start, this.endsWithReturn ? -1 : 0] }
  }

  private beginRecord(): void {
    this.head = this.hasFrames ? '' : undefined
    this.hasContent = false
    this.lines = 0
  }

  /** Adds a character to the length in front of a frame; returns false when it does not belong to one. */
  private continuesHead(code: number): boolean {
    const head = this.head!
    const isComplete = head.endsWith(' ')
    const isDigit = code >= ZERO + (head === '' ? 1 : 0) && code <= NINE
    const isLength =
      !isComplete && (isDigit ? head.length < MAX_LENGTH_DIGITS : code === SPACE && head !== '')
    this.head = isLength ? head + String.fromCharCode(code) : undefined
    this.hasContent = isLength || head !== ''
    if (isComplete && code === LESS_THAN) this.missing = Number(head)
    return isLength
  }
}

/** Returns the end of a line without the carriage return in front of its line feed. */
function lineEnd(bytes: Buffer, from: number, feed: number): number {
  return feed > from && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed
}

/** Returns the end of a frame without white space: senders that mix both framings include the line end in the length. */
function frameEnd(bytes: Buffer, from: number, end: number): number {
  let at = end
  while (at > from && bytes[at - 1]! <= SPACE) at -= 1
  return at
}
