import { isSpace, LINE_FEED, OPEN_BRACE } from '../text/bytes.js'
import type { Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'

/** The framing of NDJSON: each line is an event. */
export function ndjsonFraming(): Framing {
  return {
    scanner: new LineScanner(),
    restart: ndjsonFraming,
    head: Buffer.alloc(0),
    headLines: 0,
    contentType: 'application/x-ndjson',
  }
}

class LineScanner implements Scanner {
  /** True when the current line contains more than white space. */
  private hasContent = false
  /** True when the current line does not begin like an object. */
  private isStray = false

  scan(bytes: Buffer, range: ScanRange): ScanResult {
    const { from, maxEvents } = range
    // Restricts the search: bytes of an earlier batch may follow `to`.
    const view = bytes.subarray(0, range.to)
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    let strays = 0
    while (events < maxEvents) {
      const newline = view.indexOf(LINE_FEED, at)
      const to = newline === -1 ? range.to : newline
      if (!this.hasContent) this.begin(bytes, at, to)
      if (newline === -1) {
        at = to
        break
      }
      if (this.hasContent) events += 1
      if (this.isStray) strays += 1
      this.hasContent = this.isStray = false
      lines += 1
      at = end = newline + 1
    }
    return { next: at, end, events, lines, strays }
  }

  /** Looks for the first byte of the current line that is not white space. */
  private begin(bytes: Buffer, from: number, to: number): void {
    let at = from
    while (at < to && isSpace(bytes[at]!)) at += 1
    this.hasContent = at < to
    this.isStray = this.hasContent && bytes[at] !== OPEN_BRACE
  }

  finish(): InputEnding {
    return { events: this.hasContent ? 1 : 0, strays: this.isStray ? 1 : 0 }
  }
}
