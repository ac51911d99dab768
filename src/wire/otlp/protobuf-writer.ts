/** The bytes reserved for a message's length, which is known only after its fields. */
const LENGTH_BYTES = 5

/** The length up to which a loop copies bytes faster than a call. */
const SMALL_COPY = 64

const double = new Float64Array(1)
const doubleBytes = new Uint8Array(double.buffer)

/** Writes the fields of protobuf messages. */
export class ProtobufWriter {
  bytes: Buffer
  length = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size)
  }

  /** Begins a message that is the value of a field, and returns the argument of `endMessage`. */
  beginMessage(tag: number): number {
    this.varint(tag)
    this.reserve(LENGTH_BYTES)
    this.length += LENGTH_BYTES
    return this.length
  }

  endMessage(start: number): void {
    let rest = this.length - start
    for (let at = start - LENGTH_BYTES; at < start; at++) {
      this.bytes[at] = (rest & 0x7f) | (at === start - 1 ? 0 : 0x80)
      rest >>>= 7
    }
  }

  /** Writes a non-negative integer below 2^32. */
  varint(value: number): void {
    this.reserve(5)
    let rest = value
    for (; rest >= 0x80; rest >>>= 7) this.bytes[this.length++] = (rest & 0x7f) | 0x80
    this.bytes[this.length++] = rest
  }

  /** Writes the two's complement of an integer as a varint. */
  varint64(value: bigint): void {
    this.reserve(10)
    let rest = BigInt.asUintN(64, value)
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 0x7fn) | 0x80
    this.bytes[this.length++] = Number(rest)
  }

  fixed32(value: number): void {
    this.reserve(4)
    this.length = this.bytes.writeUInt32LE(value, this.length)
  }

  fixed64(value: bigint): void {
    this.reserve(8)
    this.length = this.bytes.writeBigUInt64LE(value, this.length)
  }

  double(value: number): void {
    this.reserve(8)
    double[0] = value
    this.bytes.set(doubleBytes, this.length)
    this.length += 8
  }

  /** Writes a string or bytes with their length. */
  delimited(source: Uint8Array, from = 0, to = source.length): void {
    const size = to - from
    this.varint(size)
    this.reserve(size)
    const { bytes, length } = this
    if (size <= SMALL_COPY) {
      for (let i = 0; i < size; i++) bytes[length + i] = source[from + i]!
    } else bytes.set(source.subarray(from, to), length)
    this.length = length + size
  }

  /** Returns the bytes written so far. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + size))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }
}
