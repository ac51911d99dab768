import type { Ending, Found, Layout, Scanner, ScanRange } from './scanner.js'

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22

/** How a table of text is told apart from the CSV that everyone takes. */
export interface CsvShape {
  /** One character of ASCII; a comma when it is left out. */
  readonly delimiter?: string
  /** The names of the columns, where the first line does not hold them. */
  readonly fields?: readonly string[]
}

/** A record an event; a record may hold line ends between quotes. Each body begins with the header, where there is one. */
export function csvLayout(header: Buffer, shape: CsvShape): Layout {
  return {
    scanner: new CsvScanner(shape),
    again: () => csvLayout(header, shape),
    head: header,
    headLines: header.reduce((lines, byte) => lines + (byte === NEWLINE ? 1 : 0), 0),
    hasLines: true,
    close: (_body, end) => end.at,
    contentType: 'text/csv',
    csv: shape,
  }
}

type Place = 'field start' | 'plain' | 'quoted' | 'after quote'

/**
 * Finds where rows end: a line end between quotes ends none. It keeps its state from piece to piece and looks at no cell,
 * unlike the reader of rows in `wire/`.
 */
export class CsvScanner implements Scanner {
  private place: Place = 'field start'
  private hasContent = false
  private lines = 0
  private readonly delimiter: number

  constructor({ delimiter = ',' }: CsvShape = {}) {
    this.delimiter = delimiter.charCodeAt(0)
  }

  scan(bytes: Buffer, { from, to, most }: ScanRange): Found {
    let place = this.place
    const { delimiter } = this
    let { hasContent } = this
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (at < to && events < most) {
      const byte = bytes[at]!
      at += 1
      if (place === 'quoted') {
        // A quote inside may end the field or, followed by another one, stand for itself.
        if (byte === QUOTE) place = 'after quote'
        else if (byte === NEWLINE) this.lines += 1
      } else if (byte === NEWLINE) {
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
        // A line that ends with CRLF and holds nothing else is empty; one of spaces is a record.
        if (byte !== RETURN) hasContent = true
      }
    }
    this.place = place
    this.hasContent = hasContent
    return { next: at, end, events, lines }
  }

  finish(): Ending {
    if (this.place !== 'quoted') return { isEvent: this.hasContent }
    return { isEvent: false, problem: 'the input ends inside a quoted field' }
  }
}
