import { isUtf8 } from 'node:buffer'
import { BYTE_ORDER_MARK } from '../../text/bytes.js'
import type { Scanner } from '../framing.js'
import { afterZeros, withoutZeroRuns } from '../zeros.js'
import { mayHaveColors, withoutColors } from './colors.js'
import { escapedBytes } from './escaped-bytes.js'
import { ensureUtf8 } from './event-text.js'

/** The number of bytes that are decoded at once: V8 allocates longer strings as large objects, which are collected late. */
const DECODED_AT_ONCE = 64 * 1024

/** Returns the start and the end of the first records, alternating; the last one needs no line end. */
export function recordExtents(
  bytes: Buffer,
  scanner: Scanner,
  maxEvents = Number.POSITIVE_INFINITY,
): readonly number[] {
  const { next, extents = [] } = scanner.scan(bytes, { from: 0, to: bytes.length, maxEvents })
  const { extents: last = [] } = scanner.finish()
  return [...extents, ...last.map((at) => next + at)]
}

/** The texts of the records of a batch in turn, in latin1. */
export class RecordTexts {
  /** True when the last record has no characters that JSON escapes. */
  isPlain = true
  /** True when the last record has several lines. */
  hasLines = false
  private readonly body: Buffer
  private readonly isClean: boolean
  private readonly hasColors: boolean
  private readonly hasMarks: boolean
  private readonly escapes: Int32Array
  private nextEscape = 0
  private text = ''
  private textFrom = 0
  private textTo = 0

  /** `escapes` are the results of `escapedBytes`, if they are known. */
  constructor(body: Buffer, extents: ArrayLike<number>, escapes = escapedBytes(body, extents)) {
    this.body = body
    this.isClean = isUtf8(body)
    this.hasColors = mayHaveColors(body)
    this.hasMarks = body.includes(BYTE_ORDER_MARK)
    this.escapes = escapes
  }

  /** Returns the record in a range, which begins after earlier records, without colors and runs of zeros. */
  read(from: number, to: number): string {
    const { escapes } = this
    while (escapes[this.nextEscape]! < from) this.nextEscape += 1
    this.isPlain = !(escapes[this.nextEscape]! < to)
    const record = this.written(from, to)
    const written = this.hasMarks ? record.slice(afterZeros(record, 0)) : record
    this.hasLines = !this.isPlain && written.includes('\n')
    const lines = this.hasLines ? written.replaceAll('\r\n', '\n') : written
    const filled = this.isPlain ? lines : withoutZeroRuns(lines)
    const plain = this.hasColors ? withoutColors(filled) : filled
    return this.isClean ? plain : ensureUtf8(plain)
  }

  private written(from: number, to: number): string {
    if (to > this.textTo) {
      this.textFrom = from
      this.textTo = Math.max(to, Math.min(this.body.length, from + DECODED_AT_ONCE))
      this.text = this.body.toString('latin1', from, this.textTo)
    }
    return this.text.slice(from - this.textFrom, to - this.textFrom)
  }
}
