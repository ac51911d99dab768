// Blocks of columns in ClickHouse's format Native, as `native-block.ts` reads them.

/** The values of a column in the layout of its type. */
export interface EncodedColumn {
  readonly name: string
  readonly type: string
  /** The pieces of the values. */
  readonly values: readonly Uint8Array[]
}

export const MOST_LENGTH_BYTES = 5

/** Returns the beginning of a block, in front of its columns. */
export function encodeHead(rows: number, columns: number): Buffer {
  const bytes = Buffer.alloc(2 * MOST_LENGTH_BYTES)
  return bytes.subarray(0, writeLength(bytes, rows, writeLength(bytes, columns, 0)))
}

/** Returns a column in pieces. */
export function encodeColumn({ name, type, values }: EncodedColumn): readonly Uint8Array[] {
  return [encodeText(name), encodeText(type), ...values]
}

/** Returns a text with its length in front. */
export function encodeText(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(MOST_LENGTH_BYTES + Buffer.byteLength(text))
  return bytes.subarray(0, writeText(bytes, text, 0))
}

/** Writes a text after its length; returns the position after it. */
export function writeText(bytes: Buffer, text: string, at: number): number {
  const start = writeLength(bytes, Buffer.byteLength(text), at)
  return start + bytes.write(text, start)
}

/** Writes a variable-length integer, which has seven bits per byte; returns the position after it. */
export function writeLength(bytes: Buffer, length: number, at: number): number {
  let rest = length
  let end = at
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest & 0x7f) | 0x80
  bytes[end++] = rest
  return end
}
