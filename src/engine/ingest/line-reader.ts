import { type FileHandle, open } from 'node:fs/promises'

/** Text with one event per line. */
export type Lines =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

/** Properties of lines that a statement needs before the engine reads them. */
export interface LineCounts {
  readonly bytes: number
  /** Number of lines, including blank ones. */
  readonly lines: number
  /** Number of lines that are not blank. */
  readonly events: number
  /** True when a line ends in CR LF. */
  readonly hasCarriageReturns: boolean
  /** True when the first line starts with a byte-order mark. */
  readonly hasByteOrderMark: boolean
}

const CHUNK_BYTES = 1024 * 1024
const LF = 10
const CR = 13
/** The byte-order mark of UTF-8. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export async function countLines(lines: Lines): Promise<LineCounts> {
  const counter = new LineCounter()
  if (lines.kind === 'bytes') counter.push(lines.bytes)
  else await eachChunk(lines.path, (chunk) => counter.push(chunk))
  return counter.end()
}

/** Counts lines in chunks of any size. */
class LineCounter {
  private bytes = 0
  private lines = 0
  private filled = 0
  private carriageReturns = false
  private head: Buffer = Buffer.alloc(0)
  /** The state of the current line: it has bytes, is not blank, ends in CR. */
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
    return {
      bytes,
      lines,
      events: filled,
      hasCarriageReturns: carriageReturns,
      hasByteOrderMark: startsWithByteOrderMark(head),
    }
  }

  private part(chunk: Buffer, start: number, end: number): void {
    if (end === start) return
    this.begun = true
    this.endsInReturn = chunk[end - 1] === CR
    if (!this.isFilled) this.isFilled = !isBlank(chunk, this.afterMark(chunk, start), end)
  }

  /** Returns the start of a line without a byte-order mark. */
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

export function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
}

/** True for a range of spaces, tabs and CRs. */
export function isBlank(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = chunk[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false
  }
  return true
}

/** Reads a file in chunks, which share one buffer. */
async function eachChunk(path: string, visit: (chunk: Buffer) => void): Promise<void> {
  const file = await open(path)
  try {
    await eachChunkOf(file, async (chunk) => visit(chunk))
  } finally {
    await file.close()
  }
}

/** The same for an open file, from its start. */
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
