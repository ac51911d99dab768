import { CsvLines, type CsvOptions } from '../wire/csv.js'
import { ArrayScanner } from '../wire/json-array.js'

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
  /** The failures in the body's own order: those the store found, and those of the format itself. */
  failures(rejected: readonly RejectedLine[]): readonly EventFailure[]
}

const NOTHING = Buffer.alloc(0)
const SPACE = 0x20
const LINE_FEED = 0x0a
/** A byte that JSON allows nowhere: it keeps a string with a raw line feed from passing for a sound one. */
const NOT_JSON = 0x01
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** An object a line: the bytes stay as they are. */
export function ndjsonLines(): EventLines {
  return {
    push: (bytes) => bytes,
    end: () => ({ bytes: NOTHING }),
    failures: (rejected) =>
      rejected.map(({ index, line, reason }) => ({ index, line, error: reason })),
  }
}

/** `application/json`: an array when the first sign is its bracket, else an object a line. */
export function jsonLines(): EventLines {
  let lines: EventLines | undefined
  let head = NOTHING
  return {
    push(bytes) {
      if (lines !== undefined) return lines.push(bytes)
      head = Buffer.concat([head, bytes])
      const mark = commonLength(head, BYTE_ORDER_MARK)
      if (mark > 0 && mark < BYTE_ORDER_MARK.length && mark === head.length) return NOTHING
      const first = head.subarray(mark).findIndex((byte) => !isBlank(byte))
      if (first === -1) return NOTHING
      if (head[mark + first] === 0x5b) {
        head.fill(SPACE, 0, mark)
        lines = arrayLines()
      } else lines = ndjsonLines()
      return lines.push(head)
    },
    end: () => lines?.end() ?? { bytes: head },
    failures: (rejected) => (lines ?? ndjsonLines()).failures(rejected),
  }
}

/** A JSON array: its own signs become blanks and line feeds, so that each element is a line, byte for byte in place. */
export function arrayLines(): EventLines {
  const scanner = new ArrayScanner()
  let offset = 0
  /** Where the last element that surely is whole ends. */
  let whole = 0
  let misplaced: number | undefined
  return {
    push(bytes) {
      if (misplaced !== undefined) return NOTHING
      for (let at = scanner.next(bytes, 0); at !== -1; at = scanner.next(bytes, at + 1)) {
        if (scanner.mark === 'misplaced') {
          misplaced = offset + at
          return bytes.subarray(0, at)
        }
        bytes[at] = REPLACEMENT[scanner.mark]
        if (scanner.mark === 'comma' || scanner.mark === 'close') whole = offset + at + 1
      }
      offset += bytes.length
      return bytes
    },
    end() {
      const isCut = misplaced === undefined && scanner.isInsideElement
      return { bytes: NOTHING, ...(isCut && { keep: whole }) }
    },
    failures(rejected) {
      const failures = rejected.map(({ index, reason }) => ({ index, error: reason }))
      const error = arrayError(scanner, { length: offset, misplaced })
      return error === undefined ? failures : [...failures, { index: scanner.wholeElements, error }]
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
    failures(rejected) {
      return merge(csv.failures, rejected)
    },
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

/** How many bytes the two have in common at their start. */
function commonLength(some: Buffer, other: Buffer): number {
  const difference = some.findIndex((byte, at) => byte !== other[at])
  return difference === -1 ? some.length : difference
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === 0x0d || byte === 0x09
}
