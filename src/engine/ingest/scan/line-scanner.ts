import { randomBytes } from 'node:crypto'
import { compileWasm } from '../../../wire/bytes/wasm-module.js'
import type { LineCounts } from '../../line-reader.js'
import { POWERS_ADDRESS, powerTables } from './powers.js'
import { NO_OUTPUT, SCHEMA_ADDRESS, type ScanSchema } from './scan-schema.js'

/** The result of a scan. */
export interface LineScan {
  readonly counts: LineCounts
  /** True when each line is empty or a plain event of the schema. */
  readonly isPlain: boolean
  /** True when the time of each plain event is null or a string that the engine reads by itself. */
  readonly hasEngineTimes: boolean
  /** True when all lines were written as columns. */
  readonly isColumnar: boolean
}

/** The first and the last of some times, in nanoseconds since 1970. */
export interface TimeExtent {
  readonly first: bigint
  readonly last: bigint
}

interface Global {
  readonly value: number
}

/** The functions of `assembly/`, where they are described. */
interface ScannerCode {
  readonly memory: WebAssembly.Memory
  addSlots(slots: number, count: number, table: number, entries: number, seed: bigint): void
  setColumns(
    columns: number,
    count: number,
    rows: number,
    rowsSize: number,
    rowBytes: number,
    blocks: number,
    blocksSize: number,
  ): void
  setOthers(areSkipped: boolean, prefixes: number, count: number): void
  begin(schema: number, hasColumns: boolean, arrival: bigint, sequence: bigint): void
  push(start: number, end: number): number
  finish(start: number, end: number): void
  readonly lines: Global
  readonly events: Global
  readonly hasCarriageReturns: Global
  readonly hasByteOrderMark: Global
  readonly isPlain: Global
  readonly hasOtherTimes: Global
  readonly isColumnar: Global
  readonly outputEnd: Global
  readonly firstTime: { readonly value: bigint }
  readonly lastTime: { readonly value: bigint }
}

/** Bytes to scan at a time. */
const CHUNK_BYTES = 1 << 20
/** An unfinished line of up to as many bytes is in front of them, and some bytes after them may be read, too. */
const BUFFER_BYTES = 2 * CHUNK_BYTES + 64
/** The positions of values, and the columns made of them: a piece of the input has at most as many. */
const ROWS_BYTES = 1 << 20
const BLOCKS_BYTES = 6 * CHUNK_BYTES
/** Bytes after the columns that may be overwritten. */
const SPARE_BYTES = 64
const WASM_PAGE_BYTES = 1 << 16
const ENTRY_BYTES = 4

/** Only scans of all events need the functions of the host. */
const NO_HOST = { hostTime: () => 0n, hostReal: () => 0 }

let module: WebAssembly.Module | undefined

/**
 * Counts lines in pieces of any size, and examines whether they are plain events: JSON that is strictly valid, whose
 * values occur at paths of a schema and have the kinds expected there.
 */
export class LineScanner {
  private readonly code: ScannerCode
  private readonly seed = randomBytes(8).readBigUInt64LE()
  private memory: Buffer
  private schema: ScanSchema | undefined
  private start = SCHEMA_ADDRESS
  private blocks = SCHEMA_ADDRESS
  /** The number of bytes in the buffer that are passed again. */
  private kept = 0
  private bytes = 0

  constructor() {
    module ??= compileWasm('line-scanner.wasm')
    const { exports } = new WebAssembly.Instance(module, { host: NO_HOST })
    this.code = exports as unknown as ScannerCode
    this.memory = Buffer.from(this.code.memory.buffer)
    this.reserve(SCHEMA_ADDRESS)
    powerTables().copy(this.memory, POWERS_ADDRESS)
  }

  /**
   * Starts a scan; without a schema lines are only counted. With a time of arrival, in nanoseconds since 1970, and a schema
   * with columns, events are also written as columns; those without a time get that one. `sequence` is the position of the first
   * line in a sequence of events.
   */
  begin(schema?: ScanSchema, arrivedAt?: bigint, sequence = 0n): void {
    if (schema !== undefined && schema !== this.schema) this.load(schema)
    this.reserve(this.start + BUFFER_BYTES)
    const hasColumns = schema?.output !== undefined && arrivedAt !== undefined
    const address = schema === undefined ? 0 : SCHEMA_ADDRESS
    this.code.begin(address, hasColumns, arrivedAt ?? 0n, sequence)
    this.kept = 0
    this.bytes = 0
  }

  /** The memory into which the next bytes must be written; invalid after `push`. */
  get room(): Buffer {
    const from = this.start + this.kept
    return this.memory.subarray(from, from + CHUNK_BYTES)
  }

  /** Scans the first bytes of `room`. */
  push(bytes: number): void {
    const end = this.start + this.kept + bytes
    this.bytes += bytes
    this.kept = this.code.push(this.start, end)
    this.memory.copyWithin(this.start, end - this.kept, end)
  }

  /** The columns of the lines completed by the last `push` or `end`, in ClickHouse's format `Native`; valid until the next one. */
  get columns(): Buffer {
    return this.memory.subarray(this.blocks, this.code.outputEnd.value)
  }

  /** True while all lines were written as columns. */
  get isColumnar(): boolean {
    return this.code.isPlain.value !== 0 && this.code.isColumnar.value !== 0
  }

  /** The first and the last of the times that were written; undefined when there is none. */
  get extent(): TimeExtent | undefined {
    const { firstTime, lastTime } = this.code
    if (firstTime.value > lastTime.value) return undefined
    return { first: firstTime.value, last: lastTime.value }
  }

  end(): LineScan {
    const { code, start, kept, bytes } = this
    code.finish(start, start + kept)
    const counts = {
      bytes,
      lines: code.lines.value,
      events: code.events.value,
      hasCarriageReturns: code.hasCarriageReturns.value !== 0,
      hasByteOrderMark: code.hasByteOrderMark.value !== 0,
    }
    return {
      counts,
      isPlain: code.isPlain.value !== 0,
      hasEngineTimes: code.hasOtherTimes.value === 0,
      isColumnar: this.isColumnar,
    }
  }

  /** Writes a schema into the memory, its hash table after it. */
  private load(schema: ScanSchema): void {
    const table = aligned(SCHEMA_ADDRESS + schema.bytes.length)
    const entries = 2 ** Math.ceil(Math.log2(2 * schema.slots))
    this.start = aligned(table + entries * ENTRY_BYTES)
    const rows = aligned(this.start + BUFFER_BYTES)
    this.blocks = rows + ROWS_BYTES
    this.reserve(this.blocks + BLOCKS_BYTES)
    schema.bytes.copy(this.memory, SCHEMA_ADDRESS)
    this.memory.fill(0, table, this.start)
    this.code.addSlots(SCHEMA_ADDRESS, schema.slots, table, entries, this.seed)
    const { others } = schema
    this.code.setOthers(others !== undefined, others?.address ?? 0, others?.count ?? 0)
    const { address, count, rowBytes } = schema.output ?? NO_OUTPUT
    this.code.setColumns(
      address,
      count,
      rows,
      ROWS_BYTES,
      rowBytes,
      this.blocks,
      BLOCKS_BYTES - SPARE_BYTES,
    )
    this.schema = schema
  }

  private reserve(bytes: number): void {
    const { memory } = this.code
    const missing = bytes - memory.buffer.byteLength
    if (missing <= 0) return
    memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
    this.memory = Buffer.from(memory.buffer)
  }
}

function aligned(address: number): number {
  return Math.ceil(address / 64) * 64
}
