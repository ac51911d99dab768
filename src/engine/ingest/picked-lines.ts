import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { BYTE_ORDER_MARK, eachChunkOf, startsWithByteOrderMark } from '../line-reader.js'

const LF = 10
/** Lines picked, in a few milliseconds, before other tasks may run. */
const LINES_AT_ONCE = 10_000

/** The text of a line; undefined when it is not UTF-8. */
type Line = string | undefined

/** Reads some lines of a file by their numbers, which begin at 0 and are ascending. */
export async function pickLines(path: string, rows: readonly number[]): Promise<readonly Line[]> {
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
  private readonly picked: Line[] = []
  private row = 0
  /** The offsets of the current chunk and of the current line. */
  private position = 0
  private start = 0

  constructor(file: FileHandle, rows: readonly number[]) {
    this.file = file
    this.rows = rows
  }

  async push(chunk: Buffer): Promise<void> {
    let from = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      if (this.isWanted) await this.pick(chunk, this.position + end)
      this.row++
      from = end + 1
      this.start = this.position + from
    }
    this.position += chunk.length
  }

  async end(): Promise<readonly Line[]> {
    if (this.start < this.position && this.isWanted) await this.pick(NOTHING, this.position)
    return this.picked
  }

  private get isWanted(): boolean {
    return this.row === this.rows[this.picked.length]
  }

  private async pick(chunk: Buffer, end: number): Promise<void> {
    const { position, start } = this
    const bytes =
      start < position
        ? await readExactly(this.file, start, end - start)
        : chunk.subarray(start - position, end - position)
    const isMarked = start === 0 && startsWithByteOrderMark(bytes)
    this.picked.push(decoded(isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes))
    if (this.picked.length % LINES_AT_ONCE === 0) await setImmediate()
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
