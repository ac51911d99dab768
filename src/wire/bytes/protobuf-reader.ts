// A reader of protobuf messages that is safe for hostile input: libraries read numbers past the end as zeros, and round 64-bit
// integers.

import type { Steps } from '../steps/steps.js'

/** Data that is not valid Protocol Buffers, or is truncated. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

/** The wire types of protobuf, the low three bits of a tag. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

const STEP_FIELDS = 10_000

/** 2^32, the factor of the high half of a 64-bit integer. */
const HALF = 0x1_0000_0000

/**
 * Reads the fields of a message and of the messages inside it. `tag` is the tag of the current field, whose value the caller reads
 * or skips. Throws a `ProtobufError` when the message is malformed or truncated.
 */
export class ProtobufReader {
  readonly bytes: Buffer
  at = 0
  /** The end of the current message. */
  end: number
  tag = 0
  /** The halves of the last 64-bit integer read. */
  low = 0
  high = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.end = bytes.length
  }

  /** Reads the tag of the next field; false at the end of the message. */
  next(): boolean {
    if (this.at >= this.end) return false
    this.tag = this.uint32()
    return true
  }

  /** Advances to the next field with a tag, and skips other fields; false at the end of the message. */
  find(tag: number): boolean {
    while (this.next()) {
      if (this.tag === tag) return true
      this.skip()
    }
    return false
  }

  /** Begins the message that is the value of the current field, and returns the end of the outer message for `leave`. */
  enter(): number {
    const outer = this.end
    this.end = this.lengthEnd()
    return outer
  }

  /** Returns to the outer message, after the message that was entered. */
  leave(outer: number): void {
    this.at = this.end
    this.end = outer
  }

  /** Reads the length of bytes, and returns their end; they begin at `at`. */
  lengthEnd(): number {
    // This may read a byte after the end of the message. The end of the value is then after it, too, which is checked below.
    let length = this.bytes[this.at]
    if (length !== undefined && length < 0x80) this.at += 1
    else {
      this.varint()
      if (this.high !== 0) throw truncated()
      length = this.low
    }
    const end = this.at + length
    if (end > this.end) throw truncated()
    return end
  }

  text(): string {
    const end = this.lengthEnd()
    const text = this.bytes.toString('utf8', this.at, end)
    this.at = end
    return text
  }

  /** Reads a varint, and returns its low 32 bits as an unsigned integer. */
  uint32(): number {
    const { bytes } = this
    const first = bytes[this.at]
    if (first !== undefined && first < 0x80 && this.at < this.end) {
      this.at += 1
      return first
    }
    this.varint()
    return this.low
  }

  /** Reads a varint into `low` and `high`. */
  varint(): void {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw truncated()
      const byte = this.bytes[this.at++]!
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) {
        this.low = low >>> 0
        this.high = high >>> 0
        return
      }
    }
    throw new ProtobufError('an integer has more than 10 bytes')
  }

  fixed32(): number {
    const { bytes, at } = this
    if (at + 4 > this.end) throw truncated()
    this.at = at + 4
    return (
      (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    )
  }

  /** Reads 8 bytes into `low` and `high`. */
  fixed64(): void {
    this.low = this.fixed32()
    this.high = this.fixed32()
  }

  int64(): bigint {
    this.varint()
    return BigInt.asIntN(64, uint64(this.low, this.high))
  }

  skip(): void {
    // Checked only here, because such a field is unknown to all callers, which skip it.
    if (this.tag < 8) throw new ProtobufError('a field has the number 0')
    const wireType = this.tag & 7
    if (wireType === WIRE.bytes) this.at = this.lengthEnd()
    else if (wireType === WIRE.varint) this.varint()
    else if (wireType === WIRE.fixed64) this.fixed64()
    else if (wireType === WIRE.fixed32) this.fixed32()
    else throw new ProtobufError(`a field has the wire type ${wireType}`)
  }

  /** Advances like `find`, in steps of some skipped fields. */
  *findInSteps(tag: number): Steps<boolean> {
    for (let skipped = 1; this.next(); skipped++) {
      if (this.tag === tag) return true
      this.skip()
      if (skipped % STEP_FIELDS === 0) yield
    }
    return false
  }

  /**
   * Visits the remaining fields of the current message in steps of some fields, then returns to the position before. `visit` returns
   * false for a field whose value it has not read.
   */
  *scanInSteps(visit: () => boolean): Steps<void> {
    const { at } = this
    for (let fields = 1; this.next(); fields++) {
      if (!visit()) this.skip()
      if (fields % STEP_FIELDS === 0) yield
    }
    this.at = at
  }
}

/** Returns the unsigned 64-bit integer with these halves. */
export function uint64(low: number, high: number): bigint {
  return BigInt(high) * BigInt(HALF) + BigInt(low)
}

function truncated(): ProtobufError {
  return new ProtobufError('the message is truncated')
}
