import type { Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'

const NEWLINE = 0x0a
const LARGEST_BODY = 64 * 1024 * 1024

/** An event a line. The bytes go out as they came in. */
export function ndjsonFraming(): Framing {
  return {
    scanner: new LineScanner(),
    restart: ndjsonFraming,
    head: Buffer.alloc(0),
    headLines: 0,
    hasLines: true,
    // The longest event a service takes fills its body alone; the line end behind it would be too much.
    close: (_body, { at, isTail }) => (at > LARGEST_BODY && !isTail ? at - 1 : at),
    contentType: 'application/x-ndjson',
  }
}

class LineScanner implements Scanner {
  /** Whether the line that has not ended yet holds more than white space. */
  private hasContent = false

  scan(bytes: Buffer, { from, to, maxEvents: most }: ScanRange): ScanResult {
    // A view, since bytes of an earlier batch may lie behind `to`.
    const view = bytes.subarray(0, to)
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (events < most) {
      const newline = view.indexOf(NEWLINE, at)
      if (newline === -1) {
        this.hasContent ||= !isBlank(view, at, to)
        at = to
        break
      }
      if (this.hasContent || !isBlank(view, at, newline)) events += 1
      this.hasContent = false
      lines += 1
      at = end = newline + 1
    }
    return { next: at, end, events, lines }
  }

  finish(): InputEnding {
    return { isEvent: this.hasContent }
  }
}

/** Whether there is nothing but what JSON calls white space; looks at one byte of an ordinary line. */
export function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at]!)) return false
  return true
}

/** Other control characters are no space: a line of zeros is an event, and one that will be refused. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
