import { powerTables } from '../bytes/powers.js'
import { compileWasm, growMemory } from '../bytes/wasm-module.js'
import { isExactNumber } from './csv-cell.js'

interface Global {
  readonly value: number
}

/** The functions of `assembly/`, where they are described. */
interface RowsCode {
  readonly memory: WebAssembly.Memory
  readonly powers: Global
  begin(keys: number, count: number, delimiter: number, output: number, outputBytes: number): void
  convert(start: number, end: number): number
  readonly stop: Global
  readonly outputEnd: Global
  readonly rows: Global
  readonly lines: Global
}

/** The values of `stop`, as in `assembly/index.ts`. */
const INCOMPLETE = 0
const FULL = 1

/** Names and a delimiter that ordinary rows are converted with. */
export interface CsvFields {
  /** A single byte. */
  readonly delimiter: number
  /** `"name":` for each field, in latin1. */
  readonly keys: readonly string[]
}

interface ConvertedRows {
  /** Their JSON; valid until the next conversion. */
  readonly json: Buffer
  readonly end: number
  /** The number of events, and of lines, including line ends within quotes. */
  readonly rows: number
  readonly lines: number
  /** True when the next call may convert further rows. */
  readonly hasMore: boolean
}

/** The address of the first memory that the code does not use itself. */
const KEYS_ADDRESS = 4096
const KEY_BYTES = 8
const MAX_KEYS_BYTES = 1 << 20
const WINDOW_BYTES = 1 << 18
const OUTPUT_BYTES = 1 << 21
/** Bytes after some memory that may be read or overwritten, too. */
const SPARE_BYTES = 64

let module: WebAssembly.Module | undefined

/**
 * Converts ordinary rows of CSV to lines of JSON: well-formed ones with no more cells than fields. Each row is on the line on which
 * it begins; its further lines are empty.
 */
export class CsvRows {
  private readonly code: RowsCode
  private memory: Buffer
  private fields: CsvFields | undefined
  private output = 0
  private input = 0
  private bytes: Buffer = Buffer.alloc(0)
  /** The part of the bytes that is in the memory. */
  private windowStart = 0
  private windowEnd = 0

  constructor() {
    const host = {
      isExactNumber: (start: number, end: number) =>
        isExactNumber(this.memory.toString('latin1', start, end)),
    }
    module ??= compileWasm('csv-rows.wasm')
    const { exports } = new WebAssembly.Instance(module, { host })
    this.code = exports as unknown as RowsCode
    this.memory = Buffer.from(this.code.memory.buffer)
    powerTables().copy(this.memory, this.code.powers.value)
  }

  /** True when the names of the fields fit into the memory. */
  static canConvert({ keys }: CsvFields): boolean {
    return keysBytes(keys) <= MAX_KEYS_BYTES
  }

  begin(bytes: Buffer): void {
    this.bytes = bytes
    this.windowStart = this.windowEnd = 0
  }

  /** Converts complete rows from a position on. */
  convert(start: number, fields: CsvFields): ConvertedRows {
    if (fields !== this.fields) this.setFields(fields)
    if (start >= this.windowEnd) this.moveWindow(start)
    const { code, windowStart, windowEnd } = this
    const offset = this.input - windowStart
    const end = code.convert(start + offset, windowEnd + offset) - offset
    const isCut = code.stop.value === INCOMPLETE && windowEnd < this.bytes.length
    // A row that is longer than a window is left to the general reader.
    const hasMore = isCut ? end > windowStart : code.stop.value === FULL && end > start
    if (isCut && hasMore) this.moveWindow(end)
    const json = this.memory.subarray(this.output, code.outputEnd.value)
    return { json, end, rows: code.rows.value, lines: code.lines.value, hasMore }
  }

  private moveWindow(start: number): void {
    this.windowStart = start
    this.windowEnd = Math.min(start + WINDOW_BYTES, this.bytes.length)
    this.bytes.copy(this.memory, this.input, start, this.windowEnd)
  }

  private setFields(fields: CsvFields): void {
    const { keys, delimiter } = fields
    this.output = KEYS_ADDRESS + keysBytes(keys) + SPARE_BYTES
    this.input = this.output + OUTPUT_BYTES + SPARE_BYTES
    this.reserve(this.input + WINDOW_BYTES + SPARE_BYTES)
    const { memory, code } = this
    let text = KEYS_ADDRESS + keys.length * KEY_BYTES
    for (const [i, key] of keys.entries()) {
      memory.writeUInt32LE(text, KEYS_ADDRESS + i * KEY_BYTES)
      memory.writeUInt32LE(key.length, KEYS_ADDRESS + i * KEY_BYTES + 4)
      text += memory.write(key, text, 'latin1')
    }
    code.begin(KEYS_ADDRESS, keys.length, delimiter, this.output, OUTPUT_BYTES)
    this.fields = fields
  }

  private reserve(bytes: number): void {
    const { memory } = this.code
    if (growMemory(memory, bytes)) this.memory = Buffer.from(memory.buffer)
  }
}

function keysBytes(keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + key.length + KEY_BYTES, 0)
}
