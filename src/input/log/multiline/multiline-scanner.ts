import type { InputEnding, Scanner, ScanRange, ScanResult } from '../../framing.js'
import { EventLines, type Line, lineIn } from './event-lines.js'
import { type EventStart, MAX_START } from './event-start.js'

const NOTHING: Line = { head: '', tail: '', length: 0, isBlank: true }

/**
 * Finds the ends of events of one or more lines. An event ends where the next one starts, at the end of the input, or
 * when `settle` is called.
 */
export class MultilineScanner implements Scanner {
  private readonly event: EventLines
  /** The line whose end has not been read. */
  private line = NOTHING
  /** Line ends after the last end of an event. */
  private lines = 0

  constructor(start: EventStart) {
    this.event = new EventLines(start)
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const text = bytes.toString('latin1', from, to)
    const hasTail = this.event.needsTails
    let at = 0
    let end = -1
    let events = 0
    let lines = 0
    while (at < text.length && events < maxEvents) {
      const newline = text.indexOf('\n', at)
      const isEnded = newline !== -1
      const line = this.extended(
        lineIn(text, { from: at, to: isEnded ? newline : text.length, hasTail }),
      )
      if (!isEnded) {
        if (this.event.isInEvent && this.event.isFullFor(line.length)) {
          this.event.end()
          events += 1
          end = from + at - this.line.length
          lines += this.lines
          this.lines = 0
        }
        this.line = line
        at = text.length
        break
      }
      this.line = NOTHING
      const { isInEvent } = this.event
      const assignment = this.event.add(line)
      if (assignment !== 'continues' && isInEvent) events += 1
      // The line end of a line that starts an event belongs to that event.
      if (assignment === 'none') this.lines += 1
      if (assignment === 'none' || (assignment === 'starts' && isInEvent)) {
        end = from + (assignment === 'none' ? newline + 1 : newline - line.length)
        lines += this.lines
        this.lines = 0
      }
      if (assignment !== 'none') this.lines += 1
      at = newline + 1
    }
    return { next: from + at, end, events, lines }
  }

  settle({ isLast }: { readonly isLast: boolean }): InputEnding {
    const rest = this.line.length
    // A line without an end is still being written, perhaps by the event itself.
    if ((rest > 0 && !isLast) || !this.event.isInEvent) return { events: 0, lines: 0 }
    const { lines } = this
    this.lines = 0
    this.event.end()
    return { events: 1, lines, rest }
  }

  finish(): InputEnding {
    const open = this.event.isInEvent ? 1 : 0
    const isNew = !this.line.isBlank && this.event.add(this.line) === 'starts'
    return { events: isNew ? open + 1 : open, lines: this.lines }
  }

  /** Returns the line that was begun, followed by `rest`. */
  private extended(rest: Line): Line {
    const { head, tail, length, isBlank } = this.line
    if (length === 0) return rest
    return {
      head: head + rest.head.slice(0, MAX_START - head.length),
      tail: (tail + rest.tail).slice(-MAX_START),
      length: length + rest.length,
      isBlank: isBlank && rest.isBlank,
    }
  }
}
