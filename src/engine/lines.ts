import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'

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
    const mark = startsWithMark(head)
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
    return startsWithMark(chunk) ? MARK.length : 0
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
  const file = await open(path)
  try {
    const picker = new LinePicker(file, rows)
    await eachChunkOf(file, (chunk) => picker.push(chunk))
    return await picker.end()
  } finally {
    await file.close()
  }
}

/** Picks lines out of a file that comes in chunks. One in several chunks may be long: it is read again, and only when it is wanted. */
class LinePicker {
  private readonly file: FileHandle
  private readonly rows: readonly number[]
  private readonly picked: PickedLine[] = []
  private row = 0
  private index = 0
  /** Where in the file the chunk begins, and the line that is not over yet. */
  private position = 0
  private start = 0
  private isFilled = false

  constructor(file: FileHandle, rows: readonly number[]) {
    this.file = file
    this.rows = rows
  }

  async push(chunk: Buffer): Promise<void> {
    let from = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      this.look(chunk, from, end)
      if (this.isWanted) await this.pick(chunk, this.position + end)
      this.endLine()
      from = end + 1
      this.start = this.position + from
    }
    this.look(chunk, from, chunk.length)
    this.position += chunk.length
  }

  async end(): Promise<PickedLine[]> {
    if (this.start < this.position && this.isWanted) await this.pick(NOTHING, this.position)
    return this.picked
  }

  private get isWanted(): boolean {
    return this.row === this.rows[this.picked.length]
  }

  private look(chunk: Buffer, from: number, end: number): void {
    if (this.isFilled) return
    const isMarked = this.position + from === 0 && startsWithMark(chunk)
    this.isFilled = !isBlank(chunk, isMarked ? MARK.length : from, end)
  }

  private async pick(chunk: Buffer, end: number): Promise<void> {
    const { row, index, position, start } = this
    const bytes =
      start < position
        ? await readExactly(this.file, start, end - start)
        : chunk.subarray(start - position, end - position)
    const isMarked = start === 0 && startsWithMark(bytes)
    const text = decoded(isMarked ? bytes.subarray(MARK.length) : bytes)
    this.picked.push({ row, index, text })
  }

  private endLine(): void {
    this.row++
    if (this.isFilled) this.index++
    this.isFilled = false
  }
}

const NOTHING = Buffer.alloc(0)

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  while (at < length) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at)
    if (bytesRead === 0) return bytes.subarray(0, at)
    at += bytesRead
  }
  return bytes
}

function decoded(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes.subarray(0, MARK.length).equals(MARK)
}

function isBlank(chunk: Buffer, start: number, end: number): boolean {
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

async function eachChunkOf(
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
