import { CARRIAGE_RETURN, LINE_FEED, QUOTE } from '../text/bytes.js'
import type { CsvDialect, Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'

/**
 * One event per record; a record may contain line ends between quotes. Each body begins with the header, if there is
 * one.
 */
export function csvFraming(header: Buffer, dialect: CsvDialect): Framing {
  return {
    scanner: new CsvScanner(dialect),
    restart: () => csvFraming(header, dialect),
    head: header,
    headLines: header.reduce((lines, byte) => lines + (byte === LINE_FEED ? 1 : 0), 0),
    hasLines: true,
    close: (_body, end) => end.at,
    contentType: 'text/csv',
    csv: dialect,
  }
}

type CellState = 'field start' | 'plain' | 'quoted' | 'after quote'

/**
 * Finds the ends of rows; a line end between quotes ends none. It keeps its state between chunks and does not decode
 * cells, unlike the row reader in `wire/`.
 */
export class CsvScanner implements Scanner {
  private place: CellState = 'field start'
  private hasContent = false
  private lines = 0
  private readonly delimiter: number

  constructor({ delimiter = ',' }: CsvDialect = {}) {
    this.delimiter = delimiter.charCodeAt(0)
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    let place = this.place
    const { delimiter } = this
    let { hasContent } = this
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (at < to && events < maxEvents) {
      const byte = bytes[at]!
      at += 1
      if (place === 'quoted') {
        // A quote inside a quoted field ends it or, if another one follows, represents itself.
        if (byte === QUOTE) place = 'after quote'
        else if (byte === LINE_FEED) this.lines += 1
      } else if (byte === LINE_FEED) {
        if (hasContent) events += 1
        place = 'field start'
        hasContent = false
        lines += this.lines + 1
        this.lines = 0
        end = at
      } else if (byte === delimiter) {
        place = 'field start'
        hasContent = true
      } else if (byte === QUOTE && place !== 'plain') {
        place = 'quoted'
        hasContent = true
      } else {
        place = 'plain'
        // A line with only CRLF is empty; one with spaces is a record.
        if (byte !== CARRIAGE_RETURN) hasContent = true
      }
    }
    this.place = place
    this.hasContent = hasContent
    return { next: at, end, events, lines }
  }

  finish(): InputEnding {
    if (this.place !== 'quoted') return { events: this.hasContent ? 1 : 0 }
    return { events: 0, problem: 'the input ends inside a quoted field' }
  }
}
