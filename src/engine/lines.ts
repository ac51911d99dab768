import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'

/** What the engine must know about a file of lines before it reads it. */
export interface LinesFacts {
  readonly bytes: number
  /** Physical lines. */
  readonly lines: number
  /** Lines that are not empty. */
  readonly filled: number
  /** Some line ends in CR LF. */
  readonly carriageReturns: boolean
  /** A byte-order mark stands before the first line. */
  readonly mark: boolean
}

const CHUNK_BYTES = 1024 * 1024
const LF = 10
const CR = 13
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Counts the lines of a file. */
export async function countLines(path: string): Promise<LinesFacts> {
  let bytes = 0
  let filled = 0
  let carriageReturns = false
  let mark = false
  const lines = await eachLine(path, (chunk, start, end, row) => {
    bytes += end - start + 1
    if (row === 0) mark = chunk.subarray(start, start + 3).equals(MARK)
    const returns = end > start && chunk[end - 1] === CR
    if (returns) carriageReturns = true
    if (end - start > (returns ? 1 : 0)) filled++
  })
  return { bytes, lines, filled, carriageReturns, mark }
}

/** A line that was asked for. */
export interface PickedLine {
  /** Its physical line, from 0. */
  readonly row: number
  /** How many lines before it are not blank. */
  readonly index: number
  /** Its text; undefined when it is not UTF-8. */
  readonly text: string | undefined
}

/** Reads some lines of a file; `rows` ascend. */
export async function pickLines(path: string, rows: readonly number[]): Promise<PickedLine[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const picked: PickedLine[] = []
  let next = 0
  let index = 0
  await eachLine(path, (chunk, start, end, row) => {
    if (row === rows[next]) {
      next++
      picked.push({ row, index, text: decoded(decoder, chunk.subarray(start, end)) })
    }
    if (!isBlank(chunk, start, end)) index++
  })
  return picked
}

function decoded(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    // The decoder drops a byte-order mark at the beginning.
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function isBlank(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = chunk[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false
  }
  return true
}

type Visit = (chunk: Buffer, start: number, end: number, row: number) => void

/** Shows each line, without its LF, as a stretch of a buffer; answers how many there were. */
async function eachLine(path: string, visit: Visit): Promise<number> {
  const file = await open(path)
  try {
    let row = 0
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const buffer = Buffer.allocUnsafe(rest.length + CHUNK_BYTES)
      rest.copy(buffer)
      const { bytesRead } = await file.read(buffer, rest.length, CHUNK_BYTES)
      const chunk = buffer.subarray(0, rest.length + bytesRead)
      if (bytesRead === 0) {
        if (chunk.length > 0) visit(chunk, 0, chunk.length, row++)
        return row
      }
      let start = 0
      let end = chunk.indexOf(LF, rest.length)
      for (; end !== -1; end = chunk.indexOf(LF, start)) {
        visit(chunk, start, end, row++)
        start = end + 1
      }
      rest = chunk.subarray(start)
    }
  } finally {
    await file.close()
  }
}
