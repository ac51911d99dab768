/** A value of a column; integers of 64 bits are bigints. */
export type NativeValue = string | number | bigint | boolean | null

/**
 * Decodes blocks in ClickHouse's format `Native`; returns the values of all blocks by column. A column that a block does not have is
 * null in its rows.
 */
export function decodeNative(bytes: Buffer): ReadonlyMap<string, readonly NativeValue[]> {
  const reader = new Reader(bytes)
  const columns = new Map<string, NativeValue[]>()
  let end = 0
  while (!reader.isAtEnd) {
    const start = end
    const count = reader.varint()
    end += reader.varint()
    for (let i = 0; i < count; i++) {
      const name = reader.string()
      const values = columns.get(name) ?? nulls(start)
      columns.set(name, values)
      values.push(...reader.column(reader.string(), end - start))
    }
    for (const values of columns.values()) values.push(...nulls(end - values.length))
  }
  return columns
}

function nulls(count: number): NativeValue[] {
  return Array.from({ length: count }, () => null)
}

class Reader {
  private at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.take(1).readUInt8()
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }

  string(): string {
    return this.take(this.varint()).toString()
  }

  column(type: string, rows: number): readonly NativeValue[] {
    const inner = /^Nullable\((.*)\)$/.exec(type)?.[1]
    const nulls = inner === undefined ? undefined : this.take(rows)
    const values = Array.from({ length: rows }, () => this.value(inner ?? type))
    return values.map((value, row) => (nulls?.[row] === 1 ? null : value))
  }

  private value(type: string): NativeValue {
    switch (type) {
      case 'String':
        return this.string()
      case 'Bool':
        return this.take(1).readUInt8() === 1
      case 'Float64':
        return this.take(8).readDoubleLE()
      case 'UInt32':
        return this.take(4).readUInt32LE()
      case 'UInt64':
      case 'Int64':
      case "DateTime64(9, 'UTC')":
        return this.take(8).readBigInt64LE()
      default:
        throw new Error(`no column should have the type ${type}`)
    }
  }

  private take(bytes: number): Buffer {
    this.at += bytes
    return this.bytes.subarray(this.at - bytes, this.at)
  }
}
