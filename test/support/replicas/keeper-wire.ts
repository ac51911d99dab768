// The binary encoding of ZooKeeper's protocol (jute): big-endian numbers, and strings with their length in front.

/** Reads the fields of a request in order. */
export class Fields {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  int(): number {
    this.at += 4
    return this.bytes.readInt32BE(this.at - 4)
  }

  long(): bigint {
    this.at += 8
    return this.bytes.readBigInt64BE(this.at - 8)
  }

  flag(): boolean {
    this.at += 1
    return this.bytes[this.at - 1] !== 0
  }

  buffer(): Buffer {
    const length = Math.max(0, this.int())
    this.at += length
    return Buffer.from(this.bytes.subarray(this.at - length, this.at))
  }

  string(): string {
    return this.buffer().toString()
  }

  /** Skips a list of permissions: everyone may do everything. */
  skipPermissions(): void {
    for (let left = this.int(); left > 0; left--) {
      this.int()
      this.string()
      this.string()
    }
  }
}

/** Writes the fields of a response in order. */
export class Response {
  private readonly pieces: Buffer[] = []

  int(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return this.add(bytes)
  }

  long(value: bigint): this {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value)
    return this.add(bytes)
  }

  flag(value: boolean): this {
    return this.add(Buffer.from([value ? 1 : 0]))
  }

  buffer(value: Buffer): this {
    return this.int(value.length).add(value)
  }

  string(value: string): this {
    return this.buffer(Buffer.from(value))
  }

  strings(values: readonly string[]): this {
    this.int(values.length)
    for (const value of values) this.string(value)
    return this
  }

  /** Returns the fields with their total length in front. */
  frame(): Buffer {
    const body = Buffer.concat(this.pieces)
    const head = Buffer.alloc(4)
    head.writeInt32BE(body.length)
    return Buffer.concat([head, body])
  }

  private add(bytes: Buffer): this {
    this.pieces.push(bytes)
    return this
  }
}
