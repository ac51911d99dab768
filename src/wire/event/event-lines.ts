import { CsvLines, type CsvOptions } from '../csv/csv.js'
import { ArrayScanner } from '../json/json-array.js'

/** An event of the body that was not stored. */
export interface EventFailure {
  readonly index: number
  /** Where the format has lines. */
  readonly line?: number
  readonly error: string
}

/** A line of the spool file that the store rejected. */
export interface RejectedLine {
  readonly index: number
  readonly line: number
  readonly reason: string
}

/** Turns a body into lines with an event each, and what is said about those lines back into what was sent. */
export interface EventLines {
  /** Takes the next bytes, which it may change, and returns bytes for the file. */
  push(bytes: Buffer): Buffer
  /** The last bytes, and how many of all should be kept when that is not all. */
  end(): { readonly bytes: Buffer; readonly keep?: number }
  /** How many events failed when the store rejected so many lines: events can also fail for the format itself. */
  failed(rejectedLines: number): number
  /** The first failures in the order of the body, all of them unless there is a limit. */
  failures(rejected: readonly RejectedLine[], limit?: number): readonly EventFailure[]
}

const NOTHING = Buffer.alloc(0)
const SPACE = 0x20
const LINE_FEED = 0x0a
const OPENING_BRACKET = 0x5b
/** A byte that JSON allows nowhere: it keeps a string with a raw line feed from passing for a sound one. */
const NOT_JSON = 0x01
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** An object a line: the bytes stay as they are. */
export function ndjsonLines(): EventLines {
  return {
    push: (bytes) => bytes,
    end: () => ({ bytes: NOTHING }),
    failed: (rejectedLines) => rejectedLines,
    failures: (rejected, limit) =>
      rejected.slice(0, limit).map(({ index, line, reason }) => ({ index, line, error: reason })),
  }
}

/** `application/json`: an array when the first sign is its bracket, else an object a line. */
export function jsonLines(): EventLines {
  let lines: EventLines | undefined
  /** The body's first bytes, while they may be the beginning of a byte-order mark. */
  let head = NOTHING
  let passed = 0
  return {
    push(bytes) {
      if (lines !== undefined) return lines.push(bytes)
      const all = Buffer.concat([head, bytes])
      const start = passed === 0 ? byteOrderMarkLength(all) : 0
      head = start === undefined ? all : NOTHING
      if (start === undefined) return NOTHING
      const at = firstSign(all, start)
      passed += at
      if (at === all.length) return all
      lines = all[at] === OPENING_BRACKET ? arrayLines(passed) : ndjsonLines()
      return Buffer.concat([all.subarray(0, at), lines.push(all.subarray(at))])
    },
    end: () => lines?.end() ?? { bytes: head },
    failed: (rejectedLines) => (lines ?? ndjsonLines()).failed(rejectedLines),
    failures: (rejected, limit) => (lines ?? ndjsonLines()).failures(rejected, limit),
  }
}

/**
 * A JSON array: its own signs become blanks and line feeds, so that each element is a line, byte for
 * byte in place. `start` is where the body's first sign stands.
 */
export function arrayLines(start = 0): EventLines {
  const scanner = new ArrayScanner()
  let offset = start
  /** Where the last element that surely is whole ends. */
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
      const failures = rejected
        .slice(0, limit)
        .map(({ index, reason }) => ({ index, error: reason }))
      const error = arrayError(scanner, { length: offset, misplaced })
      if (error === undefined || failures.length === limit) return failures
      return [...failures, { index: scanner.wholeElements, error }]
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
      : `the array breaks off at byte ${length}, where the body ends: its \`]\` is missing`
  }
  return scanner.isClosed
    ? `the array is over before byte ${misplaced}, where something else follows`
    : `the array breaks off at byte ${misplaced}: there is no event where one belongs`
}

/** CSV: objects of the header's names and a row's values, on the line where the row begins. */
export function csvLines(options: CsvOptions): EventLines {
  const csv = new CsvLines(options)
  return {
    push: (bytes) => csv.push(bytes),
    end: () => ({ bytes: csv.end() }),
    failed: (rejectedLines) => rejectedLines + csv.failures.length,
    failures: (rejected, limit) =>
      // No more of either than the limit can be among the first.
      merge(csv.failures.slice(0, limit), rejected.slice(0, limit)).slice(0, limit),
  }
}

/** Rows that failed as CSV are not in the file: each moves the index of what the store says about later lines on by one. */
function merge(
  own: readonly EventFailure[],
  rejected: readonly RejectedLine[],
): readonly EventFailure[] {
  const merged: EventFailure[] = []
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
    merged.push({ index: index + passed, line, error: reason })
  }
  return [...merged, ...own.slice(passed)]
}

/** How many of the first bytes are a byte-order mark; undefined while there are too few to tell. */
function byteOrderMarkLength(bytes: Buffer): number | undefined {
  const start = bytes.subarray(0, BYTE_ORDER_MARK.length)
  if (!BYTE_ORDER_MARK.subarray(0, start.length).equals(start)) return 0
  return start.length === BYTE_ORDER_MARK.length ? start.length : undefined
}

function firstSign(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isBlank(bytes[at]!)) at += 1
  return at
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === 0x0d || byte === 0x09
}
