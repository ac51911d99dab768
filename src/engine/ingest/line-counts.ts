import { open } from 'node:fs/promises'
import { BYTE_ORDER_MARK, isBlank, LINE_FEED, startsWithByteOrderMark } from '../../text/bytes.js'
import { eachChunkOf, type LineCounts, type Lines } from '../line-reader.js'

export async function countLines(lines: Lines): Promise<LineCounts> {
  const counter = new LineCounter()
  if (lines.kind === 'bytes') {
    counter.push(lines.bytes)
    return counter.end()
  }
  const file = await open(lines.path)
  try {
    await eachChunkOf(file, async (chunk) => counter.push(chunk))
    return counter.end()
  } finally {
    await file.close()
  }
}

class LineCounter {
  private bytes = 0
  private lines = 0
  private events = 0
  /** The state of the current line: it has bytes, and some that are not white space. */
  private isBegun = false
  private isFilled = false

  push(chunk: Buffer): void {
    let from = this.bytes === 0 && startsWithByteOrderMark(chunk) ? BYTE_ORDER_MARK.length : 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.look(chunk, from, end)
      this.endLine()
      from = end + 1
    }
    this.look(chunk, from, chunk.length)
    if (chunk.length > 0) this.isBegun = chunk.at(-1) !== LINE_FEED
    this.bytes += chunk.length
  }

  end(): LineCounts {
    if (this.isBegun) this.endLine()
    const { bytes, lines, events } = this
    return { bytes, lines, events }
  }

  private look(chunk: Buffer, from: number, end: number): void {
    if (!this.isFilled) this.isFilled = !isBlank(chunk, from, end)
  }

  private endLine(): void {
    this.lines++
    if (this.isFilled) this.events++
    this.isFilled = false
  }
}
