import { ByteWriter } from '../bytes/byte-writer.js'

/** The bytes reserved for a message's length, which is known only after its fields. */
const LENGTH_BYTES = 5

export class ProtobufWriter extends ByteWriter {
  /** Begins a message that is the value of a field, and returns the argument of `endMessage`. */
  beginMessage(tag: number): number {
    this.varint(tag)
    this.reserve(LENGTH_BYTES)
    this.size += LENGTH_BYTES
    return this.size
  }

  endMessage(start: number): void {
    let rest = this.size - start
    for (let at = start - LENGTH_BYTES; at < start; at++) {
      this.bytes[at] = (rest & 0x7f) | (at === start - 1 ? 0 : 0x80)
      rest >>>= 7
    }
  }

  /** Writes a non-negative integer below 2^32. */
  varint(value: number): void {
    this.reserve(5)
    let rest = value
    for (; rest >= 0x80; rest >>>= 7) this.bytes[this.size++] = (rest & 0x7f) | 0x80
    this.bytes[this.size++] = rest
  }

  /** Writes the two's complement of an integer as a varint. */
  varint64(value: bigint): void {
    this.reserve(10)
    let rest = BigInt.asUintN(64, value)
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.size++] = Number(rest & 0x7fn) | 0x80
    this.bytes[this.size++] = Number(rest)
  }

  fixed32(value: number): void {
    this.reserve(4)
    this.size = this.bytes.writeUInt32LE(value, this.size)
  }

  fixed64(value: bigint): void {
    this.reserve(8)
    this.size = this.bytes.writeBigUInt64LE(value, this.size)
  }

  double(value: number): void {
    this.reserve(8)
    this.size = this.bytes.writeDoubleLE(value, this.size)
  }

  delimited(source: Uint8Array, from = 0, to = source.length): void {
    this.varint(to - from)
    this.addBytes(source, from, to)
  }
}
