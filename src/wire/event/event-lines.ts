import { BYTE_ORDER_MARK, LINE_FEED, OPEN_BRACKET, SPACE } from '../../text/bytes.js'
import { CsvLines, type CsvOptions } from '../csv/csv.js'
import { ArrayScanner } from '../json/json-array.js'
import { spaceEnd } from '../json/json-bytes.js'

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
/** A byte that is invalid in JSON. It replaces a raw line feed in a string, which must not become valid. */
const NOT_JSON = 0x01

/** One object per line; bytes are unchanged. */
export function ndjsonLines(): EventLines {
  return {
    push: (bytes) => bytes,
    end: () => ({ bytes: NOTHING }),
    failed: (rejectedLines) => rejectedLines,
    failures: (rejected, limit) => rejected.slice(0, limit),
  }
}

/** `application/json`: an array when the first character is `[`, otherwise one object per line. */
export function jsonLines(): EventLines {
  let lines: EventLines | undefined
  /** The first bytes, while they may be the start of a byte order mark. */
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
      lines = all[at] === OPEN_BRACKET ? arrayLines(passed) : ndjsonLines()
      return Buffer.concat([all.subarray(0, at), lines.push(all.subarray(at))])
    },
    end: () => lines?.end() ?? { bytes: head },
    failed: (rejectedLines) => (lines ?? ndjsonLines()).failed(rejectedLines),
    failures: (rejected, limit) => (lines ?? ndjsonLines()).failures(rejected, limit),
  }
}

/**
 * A JSON array. Its delimiters are replaced by blanks and line feeds, in place, so that each element is a line. `start` is the
 * offset of the opening bracket.
 */
export function arrayLines(start = 0): EventLines {
  const scanner = new ArrayScanner()
  let offset = start
  /** The offset after the last complete element. */
  let whole = start
  let misplaced: number | undefined
  return {
    push(bytes) {
      if (misplaced !== undefined) return NOTHING
      for (let at = scanner.next(bytes, 0); at !== -1; at = scanner.next(bytes, at + 1)) {
        if (scanner.token === 'misplaced') {
          misplaced = offset + at
          return bytes.subarray(0, at)
        }
        bytes[at] = REPLACEMENT[scanner.token]
        if (scanner.token === 'comma' || scanner.token === 'close') whole = offset + at + 1
      }
      offset += bytes.length
      return bytes
    },
    end() {
      const isCut = misplaced === undefined && scanner.isInsideElement
      return { bytes: NOTHING, ...(isCut && { keep: whole }) }
    },
    failed(rejectedLines) {
      const error = arrayError(scanner, { length: offset, misplaced })
      return error === undefined ? rejectedLines : rejectedLines + 1
    },
    failures(rejected, limit) {
      const failures = rejected.slice(0, limit).map(({ index, reason }) => ({ index, reason }))
      const reason = arrayError(scanner, { length: offset, misplaced })
      if (reason === undefined || failures.length === limit) return failures
      return [...failures, { index: scanner.wholeElements, reason }]
    },
  }
}

const REPLACEMENT = {
  open: SPACE,
  comma: LINE_FEED,
  close: LINE_FEED,
  'line-feed': SPACE,
  'line-feed-in-string': NOT_JSON,
} as const

function arrayError(
  scanner: ArrayScanner,
  { length, misplaced }: { readonly length: number; readonly misplaced: number | undefined },
): string | undefined {
  if (misplaced === undefined) {
    return scanner.isClosed
      ? undefined
      : `the array is not closed: \`]\` expected at byte ${length}, where the body ends`
  }
  return scanner.isClosed
    ? `unexpected content after the array, at byte ${misplaced}`
    : `an event expected in the array at byte ${misplaced}`
}

/** CSV: objects with the names of the header and the values of a row, on the line where the row begins. */
export function csvLines(options: CsvOptions): EventLines {
  const csv = new CsvLines(options)
  return {
    push: (bytes) => csv.push(bytes),
    end: () => ({ bytes: csv.end() }),
    failed: (rejectedLines) => rejectedLines + csv.failures.length,
    failures: (rejected, limit) =>
      // At most `limit` of either kind can be among the first.
      merge(csv.failures.slice(0, limit), rejected.slice(0, limit)).slice(0, limit),
  }
}

/**
 * Merges both kinds of failures by line. Rows that were rejected as CSV are not in the spool file, so each of them increments the
 * index of later lines.
 */
function merge(
  own: readonly RejectedEvent[],
  rejected: readonly RejectedLine[],
): readonly RejectedEvent[] {
  const merged: RejectedEvent[] = []
  let passed = 0
  for (const { index, line, reason } of rejected) {
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
  return [...merged, ...own.slice(passed)]
}

/** Returns the length of the byte order mark; undefined while more bytes are needed. */
function byteOrderMarkLength(bytes: Buffer): number | undefined {
  const start = bytes.subarray(0, BYTE_ORDER_MARK.length)
  if (!BYTE_ORDER_MARK.subarray(0, start.length).equals(start)) return 0
  return start.length === BYTE_ORDER_MARK.length ? start.length : undefined
}
