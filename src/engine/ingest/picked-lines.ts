import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { BYTE_ORDER_MARK, eachChunkOf, isBlank, startsWithByteOrderMark } from '../line-reader.js'

const LF = 10
/** Lines picked, in a few milliseconds, before other tasks may run. */
const LINES_AT_ONCE = 10_000

/** A requested line. */
export interface PickedLine {
  /** The line number, from 0. */
  readonly row: number
  /** The number of preceding lines that are not blank. */
  readonly index: number
  /** Undefined when the line is not UTF-8. */
  readonly text: string | undefined
}

/** Reads some lines of a file; `rows` must be ascending. */
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

/** Picks lines from the chunks of a file. A line in several chunks may be long: it is read again when it is wanted. */
class LinePicker {
  private readonly file: FileHandle
  private readonly rows: readonly number[]
  private readonly picked: PickedLine[] = []
  private row = 0
  private index = 0
  /** The offsets of the current chunk and of the current line. */
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
    const isMarked = this.position + from === 0 && startsWithByteOrderMark(chunk)
    this.isFilled = !isBlank(chunk, isMarked ? BYTE_ORDER_MARK.length : from, end)
  }

  private async pick(chunk: Buffer, end: number): Promise<void> {
    const { row, index, position, start } = this
    const bytes =
      start < position
        ? await readExactly(this.file, start, end - start)
        : chunk.subarray(start - position, end - position)
    const isMarked = start === 0 && startsWithByteOrderMark(bytes)
    const text = decoded(isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes)
    this.picked.push({ row, index, text })
    if (this.picked.length % LINES_AT_ONCE === 0) await setImmediate()
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
