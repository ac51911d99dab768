import type { Framing, InputEnding, Scanner, ScanRange, ScanResult } from './framing.js'

const NEWLINE = 0x0a
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** One event per line. Bytes are sent unchanged. */
export function ndjsonFraming(): Framing {
  return {
    scanner: new LineScanner(),
    restart: ndjsonFraming,
    head: Buffer.alloc(0),
    headLines: 0,
    hasLines: true,
    // An event of the largest accepted size fills its body alone, without room for the line end.
    close: (_body, { at, isTail }) => (at > MAX_BODY_BYTES && !isTail ? at - 1 : at),
    contentType: 'application/x-ndjson',
  }
}

class LineScanner implements Scanner {
  /** True when the current line contains more than white space. */
  private hasContent = false

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    // Restricts the search: bytes of an earlier batch may follow `to`.
    const view = bytes.subarray(0, to)
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (events < maxEvents) {
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
    return { events: this.hasContent ? 1 : 0 }
  }
}

/** True when there is only JSON white space; checks a single byte of an ordinary line. */
export function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at]!)) return false
  return true
}

/** Other control characters are not white space: a line of zeros is an event, which the service rejects. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
