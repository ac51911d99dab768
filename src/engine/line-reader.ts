import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { BYTE_ORDER_MARK, startsWithByteOrderMark } from '../text/bytes.js'

/** Text with one event per line, or bytes that `convert` turns into it. */
export type Lines = (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
) & {
  /** Converts all bytes, each time the lines are read. Each chunk is valid until the next one. Throws `StoreError`. */
  convert?(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>
}

/** The most bytes of lines in memory that share a file of columns with other batches. */
export const SMALL_BYTES = 64 * 1024

export function isSmall(lines: Lines): boolean {
  return lines.kind === 'bytes' && lines.bytes.length <= SMALL_BYTES
}

export interface LineCounts {
  readonly bytes: number
  /** Number of lines, including blank ones. */
  readonly lines: number
  /** Number of lines that are not blank. */
  readonly events: number
}

/** Returns the text of a line, without a byte-order mark in front of the first one; undefined when it is not UTF-8. */
export function lineText(
  line: Buffer,
  { isFirst }: { readonly isFirst: boolean },
): string | undefined {
  const isMarked = isFirst && startsWithByteOrderMark(line)
  const bytes = isMarked ? line.subarray(BYTE_ORDER_MARK.length) : line
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

const CHUNK_BYTES = 1024 * 1024

/** Yields the bytes of lines in chunks, each of which is valid until the next one. */
export function chunksOf(lines: Lines): AsyncIterable<Buffer> {
  const chunks = bytesOf(lines)
  return lines.convert?.(chunks) ?? chunks
}

async function* bytesOf(lines: Lines): AsyncGenerator<Buffer, void> {
  if (lines.kind === 'bytes') {
    if (lines.bytes.length > 0) yield lines.bytes
    return
  }
  const file = await open(lines.path)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
