import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'

/** Text with an event a line. */
export type Lines =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

/** What the engine must know about lines before it reads them. */
export interface LinesFacts {
  readonly bytes: number
  /** Physical lines. */
  readonly lines: number
  /** Lines that are not blank. */
  readonly filled: number
  /** Some line ends in CR LF. */
  readonly carriageReturns: boolean
  /** A byte-order mark stands before the first line. */
  readonly mark: boolean
}

const CHUNK_BYTES = 1024 * 1024
const LF = 10
const CR = 13
/** The byte-order mark of UTF-8. */
export const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Counts lines. */
export async function countLines(lines: Lines): Promise<LinesFacts> {
  const counter = new LineCounter()
  if (lines.kind === 'bytes') counter.push(lines.bytes)
  else await eachChunk(lines.path, (chunk) => counter.push(chunk))
  return counter.end()
}

/** Counts lines that come in pieces of any size, and keeps none of them. */
class LineCounter {
  private bytes = 0
  private lines = 0
  private filled = 0
  private carriageReturns = false
  private head: Buffer = Buffer.alloc(0)
  /** The line that is not over yet: whether it has bytes, something else than blanks, and a CR last. */
  private begun = false
  private isFilled = false
  private endsInReturn = false

  push(chunk: Buffer): void {
    if (this.bytes < MARK.length) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, MARK.length)])
    }
    this.bytes += chunk.length
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.part(chunk, start, end)
      this.endLine()
      start = end + 1
    }
    this.part(chunk, start, chunk.length)
  }

  end(): LinesFacts {
    if (this.begun) this.endLine()
    const { bytes, lines, filled, carriageReturns, head } = this
    const mark = head.subarray(0, MARK.length).equals(MARK)
    return { bytes, lines, filled, carriageReturns, mark }
  }

  private part(chunk: Buffer, start: number, end: number): void {
    if (end === start) return
    this.begun = true
    this.endsInReturn = chunk[end - 1] === CR
    if (!this.isFilled) this.isFilled = !isBlank(chunk, this.afterMark(chunk, start), end)
  }

  /** Where a line begins in fact: the mark is no part of the first. */
  private afterMark(chunk: Buffer, start: number): number {
    if (this.lines > 0 || start > 0 || this.bytes > chunk.length) return start
    return chunk.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0
  }

  private endLine(): void {
    this.lines++
    if (this.isFilled) this.filled++
    if (this.endsInReturn) this.carriageReturns = true
    this.begun = false
    this.isFilled = false
    this.endsInReturn = false
  }
}

/** A line that was asked for. */
export interface PickedLine {
  /** Its physical line, from 0. */
  readonly row: number
  /** How many lines before it are not blank. */
  readonly index: number
  /** Its text; undefined when it is not UTF-8. */
  readonly text: string | undefined
}

/** Reads some lines of a file; `rows` ascend. */
export async function pickLines(path: string, rows: readonly number[]): Promise<PickedLine[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const picked: PickedLine[] = []
  let next = 0
  let index = 0
  await eachLine(path, (chunk, start, end, row) => {
    if (row === rows[next]) {
      next++
      picked.push({ row, index, text: decoded(decoder, chunk.subarray(start, end)) })
    }
    const isMarked = row === 0 && chunk.subarray(start, start + MARK.length).equals(MARK)
    if (!isBlank(chunk, isMarked ? start + MARK.length : start, end)) index++
  })
  return picked
}

function decoded(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    // The decoder drops a byte-order mark at the beginning.
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function isBlank(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = chunk[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false
  }
  return true
}

type Visit = (chunk: Buffer, start: number, end: number, row: number) => void

/** Shows each line of a file, without its LF, as a stretch of a buffer. */
async function eachLine(path: string, visit: Visit): Promise<void> {
  let row = 0
  let rest: Buffer[] = []
  await eachChunk(path, (piece) => {
    const first = piece.indexOf(LF)
    if (first === -1) {
      rest.push(Buffer.from(piece))
      return
    }
    // A long line comes in many pieces, which are put together once.
    const chunk = rest.length === 0 ? piece : Buffer.concat([...rest, piece])
    let start = 0
    let end = chunk.length - piece.length + first
    for (; end !== -1; end = chunk.indexOf(LF, start)) {
      visit(chunk, start, end, row++)
      start = end + 1
    }
    rest = start < chunk.length ? [Buffer.from(chunk.subarray(start))] : []
  })
  const last = Buffer.concat(rest)
  if (last.length > 0) visit(last, 0, last.length, row)
}

/** Shows a file in pieces, all in the same buffer. */
async function eachChunk(path: string, visit: (chunk: Buffer) => void): Promise<void> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
      if (bytesRead === 0) return
      visit(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
