import type { RecordFinder } from './log-format.js'
import { isBlankIn } from './multiline/event-lines.js'

/** The records of a batch in turn, in latin1. */
export interface BatchRecords {
  /** The start and the end of the record that `next` returned last. */
  readonly from: number
  readonly to: number
  /** Returns the next record; undefined after the last one. */
  next(): string | undefined
}

/** The bytes of records of a log. */
export interface RecordBytes {
  readonly body: Buffer
  /** The start and the end of each record, alternating, if they are known. */
  readonly extents?: ArrayLike<number> | undefined
}

/** Returns the records of a batch: at the extents that the scanner has found or, if there is a `find`, those that it finds. */
export function batchRecords(
  { body, extents = [] }: RecordBytes,
  find: RecordFinder | undefined,
): BatchRecords {
  return find === undefined ? new KnownRecords(body, extents) : new FoundRecords(body, find)
}

/** The number of bytes that are decoded at once: V8 allocates longer strings as large objects, which are collected late. */
const DECODED_AT_ONCE = 64 * 1024

class KnownRecords implements BatchRecords {
  from = 0
  to = 0
  private readonly body: Buffer
  private readonly extents: ArrayLike<number>
  private index = 0
  private text = ''
  private textFrom = 0
  private textTo = 0

  constructor(body: Buffer, extents: ArrayLike<number>) {
    this.body = body
    this.extents = extents
  }

  next(): string | undefined {
    const { index, extents } = this
    if (index >= extents.length) return undefined
    this.index = index + 2
    const from = extents[index]!
    const to = extents[index + 1]!
    this.from = from
    this.to = to
    if (to > this.textTo) this.decode(from, to)
    return this.text.slice(from - this.textFrom, to - this.textFrom)
  }

  private decode(from: number, to: number): void {
    this.textFrom = from
    this.textTo = Math.max(to, Math.min(this.body.length, from + DECODED_AT_ONCE))
    this.text = this.body.toString('latin1', from, this.textTo)
  }
}

class FoundRecords implements BatchRecords {
  from = 0
  to = 0
  private readonly text: string
  private readonly find: RecordFinder
  private at = 0

  constructor(body: Buffer, find: RecordFinder) {
    this.text = body.toString('latin1')
    this.find = find
  }

  next(): string | undefined {
    while (this.at < this.text.length) {
      const { from, to, next } = this.find(this.text, this.at)
      this.at = next
      if (isBlankIn(this.text, from, to)) continue
      this.from = from
      this.to = to
      return this.text.slice(from, to)
    }
    return undefined
  }
}
