import {
  BYTE_ORDER_MARK,
  CARRIAGE_RETURN,
  isLineEnd,
  LINE_FEED,
  QUOTE,
  startsWithByteOrderMark,
} from '../text/bytes.js'
import type { CsvDialect, Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'

/**
 * The framing of CSV: each record is an event, and may contain line ends between quotes. Each body begins with the
 * header, if there is one. Rows that are equal to `repeated` are left out, with any line end and with a byte order mark.
 */
export function csvFraming(header: Buffer, dialect: CsvDialect, repeated?: Buffer): Framing {
  return {
    scanner: new CsvScanner(dialect, repeated),
    restart: () => csvFraming(header, dialect, repeated),
    head: header,
    headLines: header.reduce((lines, byte) => lines + (byte === LINE_FEED ? 1 : 0), 0),
    contentType: 'text/csv',
    csv: dialect,
  }
}

/** Each repeated header ends a batch: a file that consists of headers must not cost a batch for each of its rows. */
const MOST_REPEATED = 1_000

/** A malformed row, with text after a closing quote, ends at the next line feed, as in the row reader in `wire/`. */
type CellState = 'field start' | 'plain' | 'quoted' | 'after quote' | 'malformed'

/**
 * Finds the ends of rows, except line ends between quotes. Unlike the row reader in `wire/`, it keeps its state between
 * chunks and does not decode cells.
 */
export class CsvScanner implements Scanner {
  private place: CellState = 'field start'
  private hasContent = false
  private lines = 0
  /** The bytes of the open row that earlier calls have scanned. */
  private open = 0
  private repetitions = 0
  private readonly delimiter: number
  /** The header without its line end. */
  private readonly repeated: Buffer | undefined
  /** True while the open row is the repeated header without its line end. */
  private isOpenRepeated = false

  constructor({ delimiter = ',' }: CsvDialect = {}, repeated?: Buffer) {
    this.delimiter = delimiter.charCodeAt(0)
    this.repeated = repeated?.subarray(0, rowEnd(repeated, 0, repeated.length))
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    // Restricts the searches: bytes of an earlier batch may follow `to`.
    const view = bytes.subarray(0, to)
    const { delimiter } = this
    let place = this.place
    let { hasContent } = this
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    let start = from - this.open
    let skipped: ScanResult['skipped']
    /** The next line feed and the next quote. */
    let feed = -1
    let quote = -1
    while (at < to && events < maxEvents) {
      if (feed < at) feed = positionOf(LINE_FEED, view, at)
      if (quote < at) quote = positionOf(QUOTE, view, at)
      if (place === 'quoted') {
        // Two quotes stand for one, and the next cell may be in quotes, too. Bytes after the chunk are not known yet.
        while (quote + 2 < to) {
          const isPair = bytes[quote + 1] === QUOTE
          if (!isPair && (bytes[quote + 1] !== delimiter || bytes[quote + 2] !== QUOTE)) break
          quote = positionOf(QUOTE, view, quote + (isPair ? 2 : 3))
        }
        // Between quotes, only line feeds matter.
        const next = Math.min(quote, to)
        for (; feed < next; feed = positionOf(LINE_FEED, view, feed + 1)) this.lines += 1
        if (next < to) place = 'after quote'
        at = next + 1
        continue
      }
      // A quote inside a quoted field ends the field, or stands for itself if another quote follows.
      const isPair = place === 'after quote' && quote === at
      const next = Math.min(feed, quote, to)
      if (next > at && place !== 'malformed') {
        // A line with only CRLF is empty; a line with spaces is a record, and so is one with a return from an earlier chunk.
        hasContent ||= next - at > 1 || bytes[at] !== CARRIAGE_RETURN || place === 'plain'
        if (place === 'after quote' && bytes[at] !== delimiter) place = 'malformed'
        else place = bytes[next - 1] === delimiter ? 'field start' : 'plain'
      }
      at = next + 1
      if (next === to) break
      if (next === quote) {
        if (isPair || place === 'field start') place = 'quoted'
        hasContent = true
        continue
      }
      const isSkipped = this.repetitions < MOST_REPEATED && this.isRepeated(bytes, start, at)
      if (isSkipped) {
        this.repetitions += 1
        skipped = { bytes: at - start, lines: this.lines + 1 }
      } else {
        if (hasContent) events += 1
        lines += this.lines + 1
        end = at
      }
      place = 'field start'
      hasContent = false
      this.lines = 0
      start = at
      if (isSkipped) break
    }
    at = Math.min(at, to)
    this.place = place
    this.hasContent = hasContent
    this.open = at - start
    this.isOpenRepeated = this.isRepeated(bytes, start, at)
    return { next: at, end, events, lines, skipped }
  }

  private isRepeated(bytes: Buffer, start: number, end: number): boolean {
    const { repeated } = this
    if (repeated === undefined || end - start < repeated.length) return false
    const isMarked =
      bytes[start] === BYTE_ORDER_MARK[0] && startsWithByteOrderMark(bytes.subarray(start, end))
    const from = isMarked ? start + BYTE_ORDER_MARK.length : start
    const to = rowEnd(bytes, from, end)
    return to - from === repeated.length && repeated.compare(bytes, from, to) === 0
  }

  finish(): InputEnding {
    if (this.place !== 'quoted') return { events: this.hasContent && !this.isOpenRepeated ? 1 : 0 }
    return { events: 0, problem: 'the input ends inside a quoted field' }
  }
}

/** Returns the position of the line end of a row, which may have none yet. */
function rowEnd(bytes: Buffer, start: number, end: number): number {
  let to = end
  while (to > start && isLineEnd(bytes[to - 1])) to -= 1
  return to
}

/** Returns the position of a byte; infinity when there is none. */
function positionOf(byte: number, bytes: Buffer, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}
