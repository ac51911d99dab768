import { binarySize } from '../text/binary-size.js'
import { LINE_FEED } from '../text/bytes.js'
import { BODY_BYTES } from '../wire/limits.js'
import type { Batch, Position, UnsendableEvent } from './batch.js'
import type { BufferPool } from './buffer-pool.js'
import type { Framing, InputEnding, ScanResult } from './framing.js'

interface BuilderOptions {
  /** The name of the input, for messages. */
  readonly input: string
  readonly framing: Framing
  readonly pool: BufferPool
  /** A batch is complete at this many events. */
  readonly maxEvents: number
  /** An event of more bytes than this is reported and not sent. */
  readonly maxEventBytes: number
  /** The position of the first event. */
  readonly start: Position
}

/** Scanners of text decode the bytes that they scan, and V8 allocates longer strings as large objects, which are collected late. */
const SCANNED_AT_ONCE = 64 * 1024
const NOTHING: InputEnding = { events: 0 }
/** Thousands of followed files may be idle at the same time, so that none of them keeps a buffer. */
const NO_BUFFER = Buffer.alloc(0)
const LINE_END_BYTES = 1

/**
 * Cuts bytes into batches at event boundaries. Bytes are read directly into the body that will be sent; only bytes after
 * a cut are copied, to the start of the next body.
 */
export class BatchBuilder {
  private readonly options: BuilderOptions
  private readonly head: number
  private buffer: Buffer = NO_BUFFER
  /** The end of the bytes that were read into the buffer. */
  private filled: number
  /** The end of the bytes that were scanned. */
  private scanned: number
  /** The end of the last complete event. */
  private end: number
  private events = 0
  private lines = 0
  private strays = 0
  private extents: number[] = []
  private start: Position
  /** The start of an event that exceeds the limit, until its end is found. */
  private tooLong: Position | undefined
  /** True when no more bytes will be read. */
  private isEnding = false

  constructor(options: BuilderOptions) {
    this.options = options
    this.start = options.start
    this.head = options.framing.head.length
    this.filled = this.scanned = this.end = this.head
  }

  /** True when `flush` would return a batch. */
  get hasEvents(): boolean {
    return this.events > 0
  }

  /** True when there is an event that further lines may continue. */
  get hasOpenEvent(): boolean {
    return this.options.framing.scanner.settle !== undefined && this.filled > this.end
  }

  /** True when the last line has no line end. */
  get hasPartialLine(): boolean {
    return this.filled > this.end && this.buffer[this.filled - 1] !== LINE_FEED
  }

  /** The position at which the next batch begins. */
  get position(): Position {
    return this.start
  }

  /** Returns the free part of the buffer, which is never empty. */
  space(): Buffer {
    if (this.buffer === NO_BUFFER) this.buffer = this.firstBuffer()
    return this.buffer.subarray(this.filled)
  }

  /** Consumes the first `length` bytes of `space()` and yields the batches that they complete. */
  *take(length: number): Generator<Batch | UnsendableEvent> {
    this.filled += length
    while (this.scanned < this.filled) {
      const skipped = this.scan()
      const isFull = this.events >= this.options.maxEvents
      if (this.tooLong !== undefined && this.events > 0) yield this.tooLongEvent(this.tooLong)
      else if (isFull || (skipped !== undefined && this.events > 0)) yield this.batch()
      this.end += skipped?.bytes ?? 0
      this.lines += skipped?.lines ?? 0
      if (this.events === 0 && this.end > this.head) this.drop()
    }
    if (this.filled < this.buffer.length || this.buffer === NO_BUFFER) return
    const { size } = this.options.pool
    if (this.buffer.length < size) this.enlargeTo(Math.min(this.buffer.length * 4, size))
    else if (this.events > 0) yield this.batch()
    else this.makeRoom()
  }

  /** Yields the complete events that are pending. */
  *flush(): Generator<Batch> {
    if (this.events > 0) yield this.batch()
  }

  /**
   * Yields the pending events, including an event that further lines might continue. If `isLast` is set, a last line
   * without a line end is left out.
   */
  *settle({ isLast = false } = {}): Generator<Batch | UnsendableEvent> {
    this.isEnding = isLast
    const ending = this.options.framing.scanner.settle?.({ isLast }) ?? NOTHING
    if (ending.events > 0) this.addEnding(ending)
    if (ending.events > 0 && this.tooLong !== undefined) yield this.tooLongEvent(this.tooLong)
    else yield* this.flush()
  }

  /**
   * Yields the remaining events at the end of the input. Unless `tail` is set, bytes after the last separator are discarded.
   */
  *finish({ tail }: { readonly tail: boolean }): Generator<Batch | UnsendableEvent> {
    this.isEnding = true
    const ending = tail ? this.options.framing.scanner.finish() : NOTHING
    if (this.tooLong !== undefined) {
      yield this.tooLongEvent(this.tooLong)
    } else if (ending.events > 0) {
      this.addEnding(ending)
      yield this.batch({ isTail: true })
    }
    yield* this.flush()
    if (ending.problem !== undefined) yield this.unsendable(this.start, ending.problem)
    this.options.pool.give(this.buffer)
  }

  private addEnding({ events, lines = 0, strays = 0, rest = 0, extents }: InputEnding): void {
    this.addExtents(extents, this.filled)
    this.events += events
    this.lines += lines
    this.strays += strays
    this.end = this.filled - rest
  }

  /** Returns what is left out after the end of the last event. */
  private scan(): ScanResult['skipped'] {
    const maxEvents = this.tooLong === undefined ? this.options.maxEvents - this.events : 1
    const to = Math.min(this.filled, this.scanned + SCANNED_AT_ONCE)
    const range = { from: this.scanned, to, maxEvents }
    const found = this.options.framing.scanner.scan(this.buffer, range)
    this.scanned = found.next
    this.events += found.events
    this.lines += found.lines
    this.strays += found.strays ?? 0
    if (found.end !== -1) this.end = found.end
    this.addExtents(found.extents, 0)
    return found.skipped
  }

  /** Adds the extents of events relative to a position in the buffer. */
  private addExtents(extents: readonly number[] = [], origin: number): void {
    for (const at of extents) this.extents.push(origin + at)
  }

  /** Returns the complete events and continues in a new buffer with the bytes after them. */
  private batch({ isTail } = { isTail: false }): Batch {
    const { input, framing, pool } = this.options
    const { buffer, end, start, events, lines, strays, extents } = this
    const bytes = end - this.head
    const rest = this.filled - end
    const next = rest === 0 ? NO_BUFFER : this.newBuffer(rest)
    buffer.copy(next, this.head, end, this.filled)
    // An event of the maximum size fills the body of a request, which then has no room for its line end.
    const body = buffer.subarray(0, end > BODY_BYTES && !isTail ? end - 1 : end)
    this.buffer = next
    this.advance()
    return {
      kind: 'batch',
      input,
      contentType: framing.contentType,
      sourceType: framing.sourceType,
      csv: framing.csv,
      body,
      events,
      bytes,
      start,
      lines,
      headLines: framing.headLines,
      ...(strays > 0 && { strays }),
      ...(extents.length > 0 && { extents }),
      ...(isTail && { isTail }),
      release: () => pool.give(buffer),
    }
  }

  /** Discards the bytes up to `end`: blank lines, or the rest of an event that is too long. */
  private drop(): void {
    this.options.framing.conversion?.skip?.(this.buffer.subarray(this.head, this.end))
    this.buffer.copyWithin(this.head, this.end, this.filled)
    this.tooLong = undefined
    this.advance()
  }

  private tooLongEvent(start: Position): UnsendableEvent {
    this.drop()
    const limit = binarySize(this.options.maxEventBytes)
    return this.unsendable(start, `it is longer than ${limit}`)
  }

  private unsendable(start: Position, reason: string): UnsendableEvent {
    const { input, framing } = this.options
    return { kind: 'unsendable', input, start, hasLines: framing.sourceType === undefined, reason }
  }

  /** Moves the start of the batch to its end. */
  private advance(): void {
    const length = this.end - this.head
    this.start = {
      line: this.start.line + this.lines,
      event: this.start.event + this.events,
      offset: this.start.offset + length,
    }
    this.filled -= length
    this.scanned -= length
    this.end = this.head
    this.events = 0
    this.lines = 0
    this.strays = 0
    this.extents = []
  }

  /** Enlarges the buffer when a single event fills it; skips the event when it exceeds the limit. */
  private makeRoom(): void {
    const largest = this.head + this.options.maxEventBytes + LINE_END_BYTES
    if (this.buffer.length < largest) {
      this.enlargeTo(Math.min(this.buffer.length * 2, largest))
    } else {
      this.tooLong ??= this.start
      const { offset } = this.start
      this.options.framing.conversion?.skip?.(this.buffer.subarray(this.head, this.filled))
      this.start = { ...this.start, offset: offset + this.filled - this.head }
      this.filled = this.scanned = this.end = this.head
    }
  }

  private enlargeTo(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes)
    this.buffer.copy(larger, 0, 0, this.filled)
    this.options.pool.give(this.buffer)
    this.buffer = larger
  }

  private firstBuffer(): Buffer {
    const first = this.options.pool.takeFirst()
    return this.head + 2 <= first.length ? this.withHead(first) : this.newBuffer(0)
  }

  private newBuffer(rest: number): Buffer {
    const { pool } = this.options
    const needed = this.head + rest + 2
    if (this.isEnding) return this.withHead(Buffer.allocUnsafeSlow(needed))
    return this.withHead(needed <= pool.size ? pool.take() : Buffer.allocUnsafeSlow(needed * 2))
  }

  private withHead(buffer: Buffer): Buffer {
    this.options.framing.head.copy(buffer)
    return buffer
  }
}
