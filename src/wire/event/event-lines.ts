import {
  BYTE_ORDER_MARK,
  CLOSE_BRACKET,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from '../../text/bytes.js'
import { ByteWriter } from '../bytes/byte-writer.js'
import {
  BLANK,
  byteClasses,
  CLOSE,
  LINE_END,
  OPEN,
  SEPARATOR,
  spaceEnd,
} from '../json/json-bytes.js'
import { ValueScanner } from '../json/value-scanner.js'

export interface RejectedEvent {
  /** Its position among the events of its batch, from 0. */
  readonly index: number
  /** The line on which it begins, from 1; undefined where the format has no lines. */
  readonly line?: number
  readonly reason: string
}

/** A line of the spool file that the store rejected. */
export interface RejectedLine extends RejectedEvent {
  /** Its position among the lines that are not blank, from 0. */
  readonly index: number
  /** Its physical line, from 1. */
  readonly line: number
}

/** Converts a body to lines with one event each, and failures of lines to failures of events. */
export interface EventLines {
  /** Consumes the next bytes of the body, which this method may change, and returns bytes of the spool file. */
  push(bytes: Buffer): Buffer
  /** Returns the last bytes of the spool file. `keep` is the length to which the file must be truncated, if it must be. */
  end(): { readonly bytes: Buffer; readonly keep?: number }
  /**
   * Returns the number of failed events, given the number of lines that the store rejected. Events may also have failed because of
   * the format of the body.
   */
  failed(rejectedLines: number): number
  /** Returns the first failures in the order of the body; all of them without `limit`. */
  failures(rejected: readonly RejectedLine[], limit?: number): readonly RejectedEvent[]
}

const NOTHING = Buffer.alloc(0)
const LINE_BREAK = Buffer.from('\n')
const CLASS = byteClasses()

/** One object per line; bytes are unchanged. */
export function ndjsonLines(): EventLines {
  return {
    push: (bytes) => bytes,
    end: () => ({ bytes: NOTHING }),
    failed: (rejectedLines) => rejectedLines,
    failures: (rejected, limit) => rejected.slice(0, limit),
  }
}

/** The length up to which the white space at the beginning of an object is awaited. */
const INDENT_BYTES = 1024

/**
 * `application/json`: an array when the first character is `[`, otherwise objects. They are one per line unless there is a line end
 * between the brace of the first one and its first key, or another object follows the first one in the same line.
 */
export function jsonLines(): EventLines {
  let lines: EventLines | undefined
  /** The first bytes, while they may be the start of a byte order mark, or end before the first key. */
  let head = NOTHING
  let passed = 0
  return {
    push(bytes) {
      if (lines !== undefined) return lines.push(bytes)
      const all = Buffer.concat([head, bytes])
      const start = passed === 0 ? byteOrderMarkLength(all) : 0
      head = start === undefined ? all : NOTHING
      if (start === undefined) return NOTHING
      const at = spaceEnd(all, start)
      passed += at
      if (at === all.length) return all
      const next = spaceEnd(all, at + 1)
      if (all[at] === OPEN_BRACE && next === all.length && next - at < INDENT_BYTES) {
        head = all.subarray(at)
        return all.subarray(0, at)
      }
      const isIndented = all[next] === QUOTE && all.subarray(at, next).includes(LINE_FEED)
      if (all[at] === OPEN_BRACKET) lines = new ArrayLines(passed)
      else lines = isIndented ? objectSequence() : objectLines()
      return Buffer.concat([all.subarray(0, at), lines.push(all.subarray(at))])
    },
    end: () => lines?.end() ?? { bytes: head },
    failed: (rejectedLines) => (lines ?? ndjsonLines()).failed(rejectedLines),
    failures: (rejected, limit) => (lines ?? ndjsonLines()).failures(rejected, limit),
  }
}

/** One object per line, unless the first line has several. */
function objectLines(): EventLines {
  const values = new ValueScanner()
  let hasObject = false
  let lines: EventLines | undefined
  return {
    ...ndjsonLines(),
    push(bytes) {
      if (lines !== undefined) return lines.push(bytes)
      const lineEnd = bytes.indexOf(LINE_FEED)
      const end = lineEnd === -1 ? bytes.length : lineEnd
      for (let at = values.next(bytes, 0, end); at < end; at = values.next(bytes, at + 1, end)) {
        const meaning = CLASS[bytes[at]!]!
        if (meaning === OPEN && hasObject) {
          lines = objectSequence()
          return Buffer.concat([bytes.subarray(0, at), LINE_BREAK, lines.push(bytes.subarray(at))])
        }
        if (meaning === OPEN) hasObject = true
        values.enter(meaning)
      }
      if (lineEnd !== -1) lines = ndjsonLines()
      return bytes
    },
    failures: (rejected, limit) => (lines ?? ndjsonLines()).failures(rejected, limit),
  }
}

/**
 * Objects of several lines, or several in a line. The line ends in an object are replaced by blanks, in place, and a line end is
 * inserted between objects in the same line.
 */
function objectSequence(): EventLines {
  const values = new ValueScanner()
  /** True after an object in the same line. */
  let isAfterObject = false
  return {
    ...ndjsonLines(),
    push(bytes) {
      const { length } = bytes
      let split: ByteWriter | undefined
      let from = 0
      for (
        let at = values.next(bytes, 0, length);
        at < length;
        at = values.next(bytes, at + 1, length)
      ) {
        const meaning = CLASS[bytes[at]!]!
        if (meaning === OPEN && isAfterObject) {
          split ??= new ByteWriter(length * 2)
          split.addBytes(bytes, from, at)
          split.addLineFeed()
          from = at
        }
        if (meaning === OPEN || meaning === LINE_END) isAfterObject = meaning === OPEN
        values.enter(meaning)
      }
      if (split === undefined) return bytes
      split.addBytes(bytes, from)
      return split.written
    },
    failures: withoutLines,
  }
}

/**
 * A JSON array. Its delimiters are replaced by blanks and line feeds, in place, so that each element is a line. The elements
 * themselves are not validated.
 */
export class ArrayLines implements EventLines {
  private readonly values = new ValueScanner()
  private isOpen = false
  private isClosed = false
  /** The kind of the element after the last comma; the end of a scalar is not certain before a comma or a bracket. */
  private element: 'none' | 'scalar' | 'delimited' = 'none'
  /** The number of elements in front of a comma or the closing bracket. */
  private elements = 0
  private offset: number
  /** The offset after the last of these elements. */
  private wholeEnd: number
  /** The offset of an unexpected byte: a comma without an element, or content outside the array. */
  private misplaced: number | undefined

  /** `start` is the offset of the opening bracket. */
  constructor(start = 0) {
    this.offset = this.wholeEnd = start
  }

  push(bytes: Buffer): Buffer {
    if (this.misplaced !== undefined) return NOTHING
    const { length } = bytes
    for (let at = 0; at < length; at++) {
      at = this.values.next(bytes, at, length)
      if (at === length) break
      const meaning = CLASS[bytes[at]!]!
      if (meaning === LINE_END) bytes[at] = SPACE
      if (meaning === BLANK || meaning === LINE_END) continue
      if (this.isOpen && meaning !== SEPARATOR && meaning !== CLOSE) {
        this.element = meaning === 0 ? 'scalar' : 'delimited'
        this.values.enter(meaning)
      } else if (this.delimits(bytes[at]!, meaning)) {
        bytes[at] = meaning === OPEN ? SPACE : LINE_FEED
        if (meaning !== OPEN) this.wholeEnd = this.offset + at + 1
      } else {
        this.misplaced = this.offset + at
        return bytes.subarray(0, at)
      }
    }
    this.offset += length
    return bytes
  }

  end(): ReturnType<EventLines['end']> {
    const isCut = this.misplaced === undefined && this.element !== 'none' && !this.isWhole()
    return { bytes: NOTHING, ...(isCut && { keep: this.wholeEnd }) }
  }

  failed(rejectedLines: number): number {
    return this.error() === undefined ? rejectedLines : rejectedLines + 1
  }

  failures(rejected: readonly RejectedLine[], limit?: number): readonly RejectedEvent[] {
    const failures = withoutLines(rejected, limit)
    const reason = this.error()
    if (reason === undefined || failures.length === limit) return failures
    return [...failures, { index: this.elements + (this.isWhole() ? 1 : 0), reason }]
  }

  private error(): string | undefined {
    const { misplaced, isClosed, offset } = this
    if (misplaced === undefined) {
      return isClosed
        ? undefined
        : `the array is not closed: \`]\` expected at byte ${offset}, where the body ends`
    }
    return isClosed
      ? `unexpected content after the array, at byte ${misplaced}`
      : `an event expected in the array at byte ${misplaced}`
  }

  /** True when the element after the last comma is complete. */
  private isWhole(): boolean {
    return this.element === 'delimited' && !this.values.isInside
  }

  /** Enters a bracket of the array or a comma between elements; returns false for a byte that is misplaced. */
  private delimits(byte: number, meaning: number): boolean {
    if (!this.isOpen) {
      this.isOpen = !this.isClosed && meaning === OPEN
      return this.isOpen
    }
    if (meaning === CLOSE && byte !== CLOSE_BRACKET) return false
    if (this.element !== 'none') this.elements += 1
    else if (meaning !== CLOSE || this.elements > 0) return false
    this.element = 'none'
    if (meaning === CLOSE) {
      this.isClosed = true
      this.isOpen = false
    }
    return true
  }
}

function withoutLines(rejected: readonly RejectedLine[], limit?: number): readonly RejectedEvent[] {
  return rejected.slice(0, limit).map(({ index, reason }) => ({ index, reason }))
}

/**
 * Merges the first failures of rows that are not CSV, and of lines of the other rows, by line. Failed rows are not among the lines,
 * so each of them increments the index of later lines.
 */
export function rowFailures(
  own: readonly RejectedEvent[],
  rejected: readonly RejectedLine[],
  limit?: number,
): readonly RejectedEvent[] {
  const merged: RejectedEvent[] = []
  let passed = 0
  for (const { index, line, reason } of rejected.slice(0, limit)) {
    for (
      let next = own[passed];
      next !== undefined && (next.line ?? 0) < line;
      next = own[passed]
    ) {
      merged.push(next)
      passed += 1
    }
    merged.push({ index: index + passed, line, reason })
  }
  return [...merged, ...own.slice(passed, limit)].slice(0, limit)
}

/** Returns the length of the byte order mark; undefined while more bytes are needed. */
function byteOrderMarkLength(bytes: Buffer): number | undefined {
  const start = bytes.subarray(0, BYTE_ORDER_MARK.length)
  if (!BYTE_ORDER_MARK.subarray(0, start.length).equals(start)) return 0
  return start.length === BYTE_ORDER_MARK.length ? start.length : undefined
}
