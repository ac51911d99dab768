import { isLineEnd, LINE_FEED } from '../text/bytes.js'
import type { Batch, Position } from './batch.js'
import { batches } from './batches.js'
import { BufferPool } from './buffer-pool.js'
import { type ByteSource, withHead } from './byte-source.js'
import { InputError, inputLabel } from './error.js'
import type { Input } from './input.js'
import { sourcesOf } from './locate.js'

/** The range of an input that an earlier batch held. */
interface BatchRange extends Position {
  readonly bytes: number
  readonly events: number
}

export interface ResumePoint {
  readonly next: Position
  /** The start of the previous event if it was rejected: it is read again if bytes were appended to it. */
  readonly previous?: Position | undefined
}

/** An input that begins at the point of resumption. */
interface ResumedRest {
  readonly input: Input
  /** The handling of a last line without a line end. */
  readonly lastLine: 'unchanged' | 'reread' | 'extended'
}

const PIECE = 256 * 1024

/** Reads parts of an input that was read in an earlier run, each part once and in order. */
export class ResumedInput {
  private readonly input: Input
  private offset: number
  private previous: number | undefined

  constructor(input: Input) {
    this.input = input
    this.offset = input.start.offset
  }

  /**
   * Returns the batch in a range; undefined when the input is shorter now. Throws `InputError` when the range no longer
   * holds the same number of events.
   */
  async batch(range: BatchRange): Promise<Batch | undefined> {
    if (!(await this.skipTo(range.offset))) return undefined
    const { name, bytes } = this.input
    const { line, event, offset } = range
    const start = { line, event, offset }
    const framing = this.input.framing.restart(this.previous)
    this.resumeTimes(range)
    const pool = new BufferPool(framing.head.length + range.bytes + 2)
    const whole = { pool, maxEvents: Infinity, flushMs: Infinity }
    const written = Buffer.allocUnsafe(framing.sourceType === undefined ? 0 : range.bytes)
    const source = firstOf(bytes, range.bytes, written)
    const found: Batch[] = []
    for await (const item of batches(
      { ...this.input, bytes: source, framing, start, isLive: false },
      whole,
    )) {
      if (item.kind === 'batch') found.push(item)
    }
    this.offset += source.count()
    this.previous = source.last()
    if (source.count() < range.bytes) return undefined
    const [batch] = found
    if (found.length === 1 && batch?.events === range.events) {
      return framing.sourceType === undefined ? batch : asWritten(batch, offset, written)
    }
    throw new InputError(
      `${inputLabel(name)} has changed since a part of it was sent, in line ${range.line} or later.`,
    )
  }

  /** Returns the input after the events already read; undefined when the input is shorter now. */
  async rest({ next, previous = next }: ResumePoint): Promise<ResumedRest | undefined> {
    if (!(await this.skipTo(previous.offset))) return undefined
    const framing = this.input.framing
    const before = Buffer.alloc(next.offset - previous.offset + 1)
    const length = await fill(this.input.bytes, before)
    if (length < before.length - 1) return undefined
    this.resumeTimes(next)
    // Records of syslog may end without a line end.
    const isOpen =
      framing.sourceType === undefined &&
      this.input.format !== 'syslog' &&
      this.lastBefore(next, before) !== LINE_FEED
    const isExtended = length === before.length && isOpen && !isLineEnd(before[length - 1])
    const isReread = isExtended && previous.offset < next.offset
    const start = isReread ? previous : next
    if (!isReread) framing.conversion?.skip?.(before.subarray(0, -1))
    const head = before.subarray(isReread ? 0 : before.length - 1, length)
    const input: Input = {
      ...this.input,
      start,
      framing: framing.restart(isReread ? this.previous : this.lastBefore(next, before)),
      bytes: withHead(head, this.input.bytes),
    }
    return { input, lastLine: isReread ? 'reread' : isExtended ? 'extended' : 'unchanged' }
  }

  private lastBefore(next: Position, read: Buffer): number | undefined {
    if (next.offset === this.input.start.offset) return LINE_FEED
    return read.length > 1 ? read.at(-2) : this.previous
  }

  /** Sets the time that events without a time get. */
  private resumeTimes({ time }: Position): void {
    const { framing, strayLines } = this.input
    const last = framing.conversion?.state?.last ?? strayLines?.last
    if (last !== undefined && time !== undefined) last.time = time
  }

  /** Returns false when the input ends before `offset`. */
  private async skipTo(offset: number): Promise<boolean> {
    if (offset < this.offset) throw new Error('inputs can only be read forward')
    const scratch = Buffer.allocUnsafe(Math.min(PIECE, offset - this.offset))
    while (this.offset < offset) {
      const most = Math.min(scratch.length, offset - this.offset)
      const length = await this.input.bytes.read(scratch.subarray(0, most))
      if (length === 0) return false
      this.input.framing.conversion?.skip?.(scratch.subarray(0, length))
      this.offset += length
      this.previous = scratch[length - 1]
    }
    return true
  }
}

/** Returns a batch whose records are as in the input, from an offset on, although its scanner has changed the bytes. */
function asWritten(batch: Batch, start: number, written: Buffer): Batch {
  const source = sourcesOf(batch)
  return {
    ...batch,
    source: (index) => {
      const found = source(index) ?? { text: Buffer.alloc(0), offset: start }
      const from = found.offset - start
      return { ...found, text: written.subarray(from, from + found.text.length) }
    },
  }
}

/** Returns a source of the first `most` bytes, which it also copies to `copy`. */
function firstOf(source: ByteSource, most: number, copy: Buffer) {
  let count = 0
  let last: number | undefined
  return {
    ready: () => (count < most ? source.ready() : undefined),
    async read(target: Buffer) {
      if (count === most) return 0
      const length = await source.read(target.subarray(0, Math.min(target.length, most - count)))
      if (length > 0) last = target[length - 1]
      target.copy(copy, count, 0, length)
      count += length
      return length
    },
    close: async () => {},
    count: () => count,
    last: () => last,
  }
}

/** Reads until `target` is full or the source ends; returns the number of bytes. */
async function fill(source: ByteSource, target: Buffer): Promise<number> {
  let filled = 0
  while (filled < target.length) {
    const length = await source.read(target.subarray(filled))
    if (length === 0) break
    filled += length
  }
  return filled
}
