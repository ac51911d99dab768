import { type FileHandle, open } from 'node:fs/promises'

/** Text with an event a line. */
export type Lines =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

/** What the engine must know about lines before it reads them. */
export interface LineCounts {
  readonly bytes: number
  /** Physical lines. */
  readonly lines: number
  /** Lines that are not blank. */
  readonly events: number
  /** Some line ends in CR LF. */
  readonly hasCarriageReturns: boolean
  /** A byte-order mark stands before the first line. */
  readonly hasByteOrderMark: boolean
}

const CHUNK_BYTES = 1024 * 1024
const LF = 10
const CR = 13
/** The byte-order mark of UTF-8. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Counts lines. */
export async function countLines(lines: Lines): Promise<LineCounts> {
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
    if (this.bytes < BYTE_ORDER_MARK.length) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, BYTE_ORDER_MARK.length)])
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

  end(): LineCounts {
    if (this.begun) this.endLine()
    const { bytes, lines, filled, carriageReturns, head } = this
    const mark = startsWithByteOrderMark(head)
    return {
      bytes,
      lines,
      events: filled,
      hasCarriageReturns: carriageReturns,
      hasByteOrderMark: mark,
    }
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
    return startsWithByteOrderMark(chunk) ? BYTE_ORDER_MARK.length : 0
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

/** Whether a byte-order mark comes first. */
export function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}

/** Whether a stretch of a line holds nothing but blanks. */
export function isBlank(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = chunk[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false
  }
  return true
}

/** Shows a file in chunks, all in the same buffer. */
async function eachChunk(path: string, visit: (chunk: Buffer) => void): Promise<void> {
  const file = await open(path)
  try {
    await eachChunkOf(file, async (chunk) => visit(chunk))
  } finally {
    await file.close()
  }
}

/** The same of a file that is open, from its beginning. */
export async function eachChunkOf(
  file: FileHandle,
  visit: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    await visit(buffer.subarray(0, bytesRead))
  }
}
