import { CARRIAGE_RETURN } from '../../../text/bytes.js'
import type { InputEnding, Scanner, ScanRange, ScanResult } from '../../framing.js'
import { mayHaveColors } from '../colors.js'
import { EventLines, type Line, lineIn } from './event-lines.js'
import { type EventStart, MAX_START } from './event-start.js'

const NOTHING: Line = { head: '', tail: '', length: 0, isBlank: true }

/**
 * Finds the extents of events of one or more lines. An event ends where the next one starts, at the end of the input, or
 * when `settle` is called.
 */
export class MultilineScanner implements Scanner {
  private readonly event: EventLines
  /** The last line, whose end has not been read, and the number of carriage returns at the end of its bytes. */
  private line = NOTHING
  private returns = 0
  /** The start of the current event and the end of its content; negative: relative to the end of the scanned bytes. */
  private start = 0
  private content = 0
  /** The number of line ends after the end of the last event. */
  private lines = 0

  constructor(start: EventStart) {
    this.event = new EventLines(start)
  }

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const text = bytes.toString('latin1', from, to)
    this.event.hasColors ||= mayHaveColors(text)
    const hasTail = this.event.needsTails
    const extents: number[] = []
    let at = 0
    let end = -1
    let lines = 0
    this.start += from
    this.content += from
    while (at < text.length && extents.length < maxEvents * 2) {
      const newline = text.indexOf('\n', at)
      const lineEnd = newline === -1 ? text.length : newline
      const line = this.extended(lineIn(text, { from: at, to: lineEnd, hasTail }))
      const returns = this.returnsIn(text, at, lineEnd)
      const { isInEvent } = this.event
      if (newline === -1) {
        if (isInEvent && this.event.isFullFor(line.length)) {
          this.event.end()
          extents.push(this.start, this.content)
          end = from + at - this.line.length
          lines += this.lines
          this.lines = 0
        }
        this.line = line
        this.returns = returns
        at = text.length
        break
      }
      this.line = NOTHING
      this.returns = 0
      const assignment = this.event.add(line)
      if (assignment !== 'continues' && isInEvent) extents.push(this.start, this.content)
      if (assignment === 'none') {
        end = from + newline + 1
        lines += this.lines + 1
        this.lines = 0
      } else {
        const lineStart = from + newline - line.length
        if (assignment === 'starts' && isInEvent) {
          end = lineStart
          lines += this.lines
          this.lines = 0
        }
        if (assignment === 'starts') this.start = lineStart
        // The line end of a line that starts an event belongs to that event.
        this.lines += 1
        this.addContent(assignment, { line, returns, end: from + newline })
      }
      at = newline + 1
    }
    const next = from + at
    this.start -= next
    this.content -= next
    return { next, end, events: extents.length / 2, lines, extents }
  }

  settle({ isLast }: { readonly isLast: boolean }): InputEnding {
    const rest = this.line.length
    // A line without a line end is still being written, and may belong to the event.
    if ((rest > 0 && !isLast) || !this.event.isInEvent) return { events: 0, lines: 0 }
    const { lines } = this
    this.lines = 0
    this.event.end()
    return { events: 1, lines, rest, extents: [this.start, this.content] }
  }

  finish(): InputEnding {
    const { line, returns, lines } = this
    const { isInEvent } = this.event
    const assignment = line.length === 0 ? 'none' : this.event.add(line)
    if (assignment === 'continues') this.addContent(assignment, { line, returns, end: 0 })
    const extents = isInEvent ? [this.start, this.content] : []
    if (assignment === 'starts') {
      this.addContent(assignment, { line, returns, end: 0 })
      extents.push(-line.length, this.content)
    }
    return { events: extents.length / 2, lines, extents }
  }

  /** Extends the content of the event to the end of a line; blank lines are not content. */
  private addContent(
    assignment: 'starts' | 'continues',
    { line, returns, end }: { readonly line: Line; readonly returns: number; readonly end: number },
  ): void {
    // One carriage return belongs to the line end.
    if (assignment === 'starts') this.content = returns > 0 ? end - 1 : end
    else if (returns < line.length) this.content = end - returns
  }

  /** Returns the number of carriage returns at the end of the current line, whose last part is a range of a text. */
  private returnsIn(text: string, from: number, to: number): number {
    let at = to
    while (at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN) at -= 1
    return at === from ? this.returns + to - at : to - at
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
