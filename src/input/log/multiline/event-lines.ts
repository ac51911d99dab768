import { CARRIAGE_RETURN, isSpace } from '../../../text/bytes.js'
import { EVENT_LINES, EVENT_LINES_BYTES } from '../../../wire/limits.js'
import { afterZeros } from '../../zeros.js'
import { withoutColors } from '../colors.js'
import { type EventStart, MAX_START, outlastsBlank } from './event-start.js'

/** A line without its line end. */
export interface Line {
  /** The first characters in latin1, at most `MAX_START`. */
  readonly head: string
  /** The last characters, at most `MAX_START`; empty unless `EventLines.needsTails` is true. */
  readonly tail: string
  /** The length in bytes. */
  readonly length: number
  readonly isBlank: boolean
}

/** The place of a line among events: it starts one, continues the current one, or belongs to none. */
type Assignment = 'starts' | 'continues' | 'none'

/** Assigns consecutive lines to events. If reading begins at the start of an event, the assignment of lines is the same. */
export class EventLines {
  private readonly start: EventStart
  /** Lines of the current event; 0 when there is none. */
  private lines = 0
  private bytes = 0
  /** True when the last line continues in the next one. */
  private isPartial = false
  /** The beginning of the last line. */
  private previous = ''
  /** The beginning of the first line of the current event. */
  private first = ''
  /** False as long as no line had colors: a search in each line would take longer than one in many lines. */
  hasColors = false

  constructor(start: EventStart) {
    this.start = start
  }

  /** True when the last characters of lines matter. */
  get needsTails(): boolean {
    return this.start.isPartial !== undefined
  }

  /** True when there is a current event. */
  get isInEvent(): boolean {
    return this.lines > 0
  }

  end(): void {
    this.lines = 0
    this.bytes = 0
    this.isPartial = false
  }

  /** True when a line of this length does not fit into the current event. */
  isFullFor(length: number): boolean {
    return this.lines >= EVENT_LINES || this.bytes + length >= EVENT_LINES_BYTES
  }

  /** Adds the next line. A line that does not continue the current event ends it. */
  add(line: Line): Assignment {
    const written = withoutReturn(line.head)
    const head = this.hasColors ? withoutColors(written) : written
    const isOutside = !this.isInEvent || this.isFullFor(line.length)
    const isGap = line.isBlank || this.start.isSeparator?.(head)
    if ((isOutside && isGap) || this.start.isComment?.(head)) {
      this.end()
      return 'none'
    }
    const starts =
      !line.isBlank &&
      (isOutside || (!this.isPartial && this.start.isStart(head, this.previous, this.first)))
    if (starts) {
      this.end()
      this.first = head
    }
    this.lines += 1
    this.bytes += line.length + 1
    this.isPartial = this.start.isPartial?.(head, line.tail) ?? false
    if (!line.isBlank || !outlastsBlank(this.previous)) this.previous = head
    return starts ? 'starts' : 'continues'
  }
}

/** Returns the line in a range of latin1 text; `hasTail` is false where its last characters do not matter. */
export function lineIn(
  text: string,
  { from, to, hasTail }: { readonly from: number; readonly to: number; readonly hasTail: boolean },
): Line {
  const first = Math.min(afterZeros(text, from), to)
  return {
    head: text.slice(first, Math.min(to, first + MAX_START)),
    tail: hasTail ? text.slice(Math.max(from, to - MAX_START), to) : '',
    length: to - from,
    isBlank: isBlankIn(text, from, to),
  }
}

/** True when a range of latin1 text contains only white space, perhaps after zeros. */
export function isBlankIn(text: string, from: number, to: number): boolean {
  for (let at = afterZeros(text, from); at < to; at++) {
    if (!isSpace(text.charCodeAt(at))) return false
  }
  return true
}

function withoutReturn(head: string): string {
  return head.charCodeAt(head.length - 1) === CARRIAGE_RETURN ? head.slice(0, -1) : head
}
