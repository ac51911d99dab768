import { LINE_FEED } from '../../text/bytes.js'
import { compileWasm } from '../../wire/bytes/wasm-module.js'

/** The functions of `assembly/`, where they are described. */
interface ProjectionCode {
  readonly memory: WebAssembly.Memory
  project(
    start: number,
    end: number,
    out: number,
    table: number,
    count: number,
    time: number,
  ): number
}

/** The members that lines are reduced to. */
export interface Projection {
  /** Keys of the top level. */
  readonly keys: readonly string[]
  /** The beginnings of keys of the top level. */
  readonly prefixes?: readonly string[]
  /** A key that is dropped when its value is a time for certain, so that an invalid one is still found. */
  readonly droppedTime?: string
}

/** The set of entries that were found in a line is a number of 32 bits. */
const MAX_ENTRIES = 31
const TABLE_ADDRESS = 64
/** Some bytes after a key or a piece of lines may be read, too. */
const SPARE_BYTES = 64
const ENTRY_BYTES = 8
const PIECE_BYTES = 1 << 20
const WASM_PAGE_BYTES = 1 << 16

let module: WebAssembly.Module | undefined

/** Reduces lines of NDJSON to some members. */
export class LineProjector {
  private readonly code: ProjectionCode
  private readonly memory: Buffer
  private readonly count: number
  private readonly time: number
  private readonly input: number
  private readonly output: number

  /** The entries are keys with their closing quotes, and beginnings of keys. */
  private constructor(entries: readonly string[], time: number) {
    module ??= compileWasm('line-projection.wasm')
    this.code = new WebAssembly.Instance(module, {}).exports as unknown as ProjectionCode
    this.count = entries.length
    this.time = time
    const written = entries.map((entry) => Buffer.from(entry))
    const names = TABLE_ADDRESS + entries.length * ENTRY_BYTES
    const length = written.reduce((sum, key) => sum + key.length, 0)
    this.input = Math.ceil((names + length + SPARE_BYTES) / 64) * 64
    this.output = this.input + PIECE_BYTES + SPARE_BYTES
    const bytes = this.output + PIECE_BYTES + SPARE_BYTES
    const { memory } = this.code
    const missing = Math.ceil(bytes / WASM_PAGE_BYTES) - memory.buffer.byteLength / WASM_PAGE_BYTES
    if (missing > 0) memory.grow(missing)
    this.memory = Buffer.from(memory.buffer)
    let address = names
    for (const [i, key] of written.entries()) {
      key.copy(this.memory, address)
      this.memory.writeUInt32LE(address, TABLE_ADDRESS + i * ENTRY_BYTES)
      this.memory.writeUInt32LE(key.length, TABLE_ADDRESS + i * ENTRY_BYTES + 4)
      address += key.length
    }
  }

  /** Returns a projector; undefined when there are too many keys, or one that JSON writes with escapes. */
  static of({ keys, prefixes = [], droppedTime }: Projection): LineProjector | undefined {
    const isDropped = droppedTime !== undefined && !keys.includes(droppedTime)
    const all = isDropped ? [...keys, droppedTime] : keys
    const isWritten = [...all, ...prefixes].every(isWrittenAsIs)
    if (all.length + prefixes.length > MAX_ENTRIES || !isWritten) return undefined
    const entries = [...all.map((key) => `${key}"`), ...prefixes]
    return new LineProjector(entries, isDropped ? keys.length : -1)
  }

  /**
   * Reduces the lines in `body` in place and returns the part of it that they take. A line stays a line; one that may be no
   * valid event stays as it is.
   */
  project(body: Buffer): Buffer {
    let written = 0
    for (let at = 0; at < body.length; ) {
      const end = pieceEnd(body, at)
      const piece = end - at > PIECE_BYTES ? body.subarray(at, end) : this.projected(body, at, end)
      written += piece.copy(body, written)
      at = end
    }
    return body.subarray(0, written)
  }

  private projected(body: Buffer, from: number, to: number): Buffer {
    const { code, memory, input, output, count, time } = this
    body.copy(memory, input, from, to)
    const isOpen = body[to - 1] !== LINE_FEED
    const end = input + to - from
    // The last line of an input may have no line feed.
    if (isOpen) memory[end] = LINE_FEED
    const out = code.project(input, isOpen ? end + 1 : end, output, TABLE_ADDRESS, count, time)
    return memory.subarray(output, isOpen ? out - 1 : out)
  }
}

/** True for a key that is its own JSON text, and that has one at all. */
function isWrittenAsIs(key: string): boolean {
  return key !== '' && JSON.stringify(key) === `"${key}"`
}

/** Returns the end of a piece of whole lines; a longer line is a piece of its own. */
function pieceEnd(body: Buffer, at: number): number {
  if (body.length - at <= PIECE_BYTES) return body.length
  const last = body.lastIndexOf(LINE_FEED, at + PIECE_BYTES - 1)
  if (last >= at) return last + 1
  const next = body.indexOf(LINE_FEED, at + PIECE_BYTES)
  return next === -1 ? body.length : next + 1
}
