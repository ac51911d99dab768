import type { Batch, Position } from './batch.js'
import { batches } from './batches.js'
import { BufferPool } from './buffer-pool.js'
import { type ByteSource, withHead } from './byte-source.js'
import { InputError, inputLabel } from './error.js'
import type { Input } from './input.js'

/** A stretch of an input that was a batch once. */
interface BatchRange extends Position {
  readonly bytes: number
  readonly events: number
}

/** Where reading goes on. */
export interface ResumePoint {
  readonly next: Position
  /** Where the event before begins, when it was refused and may be read again with what was written to it since. */
  readonly previous?: Position | undefined
}

/** An input from where reading goes on. */
interface ResumedRest {
  readonly input: Input
  /** What became of a last line that had no end when it was read: more was written to it, or nothing was. */
  readonly lastLine: 'as it was' | 'read again' | 'continued'
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const PIECE = 256 * 1024

/** Reads parts of an input that was read before, from its beginning on; nothing is read twice. */
export class ResumedInput {
  private readonly input: Input
  private offset: number
  private previous: number | undefined

  constructor(input: Input) {
    this.input = input
    this.offset = input.start.offset
  }

  /** The batch that a stretch was and is; undefined when the input does not reach so far any more. */
  async batch(stretch: BatchRange): Promise<Batch | undefined> {
    if (!(await this.skipTo(stretch.offset))) return undefined
    const { name, bytes } = this.input
    const { line, event, offset } = stretch
    const start = { line, event, offset }
    const layout = this.input.framing.restart(this.previous)
    const pool = new BufferPool(layout.head.length + stretch.bytes + 2)
    const whole = { pool, maxEvents: Infinity, flushMs: Infinity }
    const source = firstOf(bytes, stretch.bytes)
    const found: Batch[] = []
    for await (const item of batches(
      { ...this.input, bytes: source, framing: layout, start, isLive: false },
      whole,
    )) {
      if (item.kind === 'batch') found.push(item)
    }
    this.offset += source.count()
    this.previous = source.last()
    if (source.count() < stretch.bytes) return undefined
    const [batch] = found
    if (found.length === 1 && batch?.events === stretch.events) return batch
    throw new InputError(
      `${inputLabel(name)} has changed since a part of it was sent, in line ${stretch.line} or behind.`,
    )
  }

  /** What comes behind the events that were read; undefined when the input does not reach so far any more. */
  async rest({ next, previous = next }: ResumePoint): Promise<ResumedRest | undefined> {
    if (!(await this.skipTo(previous.offset))) return undefined
    const layout = this.input.framing
    const before = Buffer.alloc(next.offset - previous.offset + 1)
    const length = await fill(this.input.bytes, before)
    if (length < before.length - 1) return undefined
    // Records of syslog may end without a line end.
    const isOpen =
      layout.hasLines && this.input.format !== 'syslog' && this.lastBefore(next, before) !== NEWLINE
    const isContinued = length === before.length && isOpen && !isLineEnd(before[length - 1])
    const isAgain = isContinued && previous.offset < next.offset
    const start = isAgain ? previous : next
    const head = before.subarray(isAgain ? 0 : before.length - 1, length)
    const input: Input = {
      ...this.input,
      start,
      framing: layout.restart(isAgain ? this.previous : this.lastBefore(next, before)),
      bytes: withHead(head, this.input.bytes),
    }
    return { input, lastLine: isAgain ? 'read again' : isContinued ? 'continued' : 'as it was' }
  }

  /** The byte before `next`. */
  private lastBefore(next: Position, read: Buffer): number | undefined {
    if (next.offset === this.input.start.offset) return NEWLINE
    return read.length > 1 ? read.at(-2) : this.previous
  }

  /** False when the input ends before. */
  private async skipTo(offset: number): Promise<boolean> {
    if (offset < this.offset) throw new Error('an input is read forwards')
    const scratch = Buffer.allocUnsafe(Math.min(PIECE, offset - this.offset))
    while (this.offset < offset) {
      const most = Math.min(scratch.length, offset - this.offset)
      const length = await this.input.bytes.read(scratch.subarray(0, most))
      if (length === 0) return false
      this.offset += length
      this.previous = scratch[length - 1]
    }
    return true
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN
}

/** The first bytes of a source, as one of its own. */
function firstOf(source: ByteSource, most: number) {
  let count = 0
  let last: number | undefined
  return {
    ready: () => (count < most ? source.ready() : undefined),
    async read(target: Buffer) {
      if (count === most) return 0
      const length = await source.read(target.subarray(0, Math.min(target.length, most - count)))
      if (length > 0) last = target[length - 1]
      count += length
      return length
    },
    close: async () => {},
    count: () => count,
    last: () => last,
  }
}

/** As many bytes as there are. */
async function fill(source: ByteSource, target: Buffer): Promise<number> {
  let filled = 0
  while (filled < target.length) {
    const length = await source.read(target.subarray(filled))
    if (length === 0) break
    filled += length
  }
  return filled
}
