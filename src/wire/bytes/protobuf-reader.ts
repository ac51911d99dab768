/** Data that is not valid Protocol Buffers, or is truncated. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5

/** Reads the fields of a message in turn. After `next`, the caller reads the value or skips it. */
export class ProtobufReader {
  private readonly bytes: Buffer
  private at: number
  private readonly end: number
  private type = VARINT

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** Returns a reader of the rest of the message. */
  copy(): ProtobufReader {
    return new ProtobufReader(this.bytes, this.at, this.end)
  }

  /** Returns the number of the next field; 0 at the end of the message. */
  next(): number {
    if (this.at === this.end) return 0
    const key = this.varint()
    this.type = key % 8
    const field = Math.floor(key / 8)
    if (field === 0) throw new ProtobufError('a field has the number 0')
    return field
  }

  /** Reads an `int64`. */
  int64(): bigint {
    if (this.type !== VARINT) throw this.wrongType()
    const from = this.at
    const rounded = this.varint()
    if (rounded <= Number.MAX_SAFE_INTEGER) return BigInt(rounded)
    this.at = from
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw new ProtobufError('an integer has more than 10 bytes')
  }

  text(): string {
    const from = this.beginBytes()
    return this.bytes.toString('utf8', from, this.at)
  }

  message(): ProtobufReader {
    const from = this.beginBytes()
    return new ProtobufReader(this.bytes, from, this.at)
  }

  skip(): void {
    if (this.type === VARINT) this.varint()
    else if (this.type === BYTES) this.beginBytes()
    else if (this.type === FIXED_64) this.advance(8)
    else if (this.type === FIXED_32) this.advance(4)
    else throw this.wrongType()
  }

  /** Moves behind a value with a length, and returns where it begins. */
  private beginBytes(): number {
    if (this.type !== BYTES) throw this.wrongType()
    const length = this.varint()
    const from = this.at
    this.advance(length)
    return from
  }

  private varint(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
    throw new ProtobufError('an integer has more than 10 bytes')
  }

  private byte(): number {
    if (this.at >= this.end) throw new ProtobufError('a message ends too early')
    return this.bytes[this.at++]!
  }

  private advance(bytes: number): void {
    if (bytes > this.end - this.at) throw new ProtobufError('a message ends too early')
    this.at += bytes
  }

  private wrongType(): ProtobufError {
    return new ProtobufError(`a field has the unexpected wire type ${this.type}`)
  }
}
