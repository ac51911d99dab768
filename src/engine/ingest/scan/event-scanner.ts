import { randomBytes } from 'node:crypto'
import { LINE_FEED } from '../../../text/bytes.js'
import { powerTables } from '../../../wire/bytes/powers.js'
import { compileWasm, growMemory } from '../../../wire/bytes/wasm-module.js'
import { parseEventTime, patternOf } from '../../../wire/event/event-time.js'
import { hourOf, type SameHour, timeInHour } from '../../../wire/event/same-hour.js'
import type { FieldPath } from '../../../wire/json/field-path.js'
import type { TimeFormat } from '../../../wire/time/time-format.js'
import { type EventSchema, FIELD, NEWS_COUNT, SLOT_BYTES, SLOTS_ADDRESS } from './event-schema.js'

/** A line that other code has to read. */
export interface HostLine {
  /** Its number, from 0. */
  readonly row: number
  /** The number of lines before it that are not empty. */
  readonly index: number
  readonly bytes: Buffer
}

/** A member of events with values that the schema does not expect. */
export interface UnexpectedValues {
  readonly path: FieldPath
  /** The kinds of these values, as bits of `SLOT`. */
  readonly kinds: number
  /** The number of these values that are not null. */
  readonly count: number
}

/** The lines of a scan up to now. */
interface ScanCounts {
  readonly bytes: number
  readonly lines: number
  /** Lines that are not empty. */
  readonly filled: number
  /** Events that were written as columns. */
  readonly rows: number
}

interface ScanOptions {
  readonly schema: EventSchema
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  readonly timeFormat?: TimeFormat | undefined
  /** The number of the first line. */
  readonly firstRow?: number
  /** The position of line 0 in a sequence of events. */
  readonly sequence?: bigint
  /** True when other code has to read all lines. */
  readonly isByHost?: boolean
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
  clearNews(): void
  setColumns(columns: number, count: number, rowBytes: number): void
  begin(
    schema: number,
    others: number,
    arrival: bigint,
    hasOtherFormat: boolean,
    firstLine: number,
    sequence: bigint,
  ): void
  read(start: number, end: number): number
  skipLine(): void
  readonly lineCount: Global
  readonly rowCount: Global
  readonly filledCount: Global
  readonly hostLines: Global
  readonly hostLineEntries: Global
  readonly hasNews: Global
  readonly newSlots: Global
  readonly maxNewSlots: Global
  readonly newSlotCount: Global
  readonly powers: Global
  readonly input: Global
  readonly chunkBytes: Global
  readonly maxLineBytes: Global
  readonly output: Global
  readonly outputEnd: Global
  readonly firstTime: { readonly value: bigint }
  readonly lastTime: { readonly value: bigint }
}

const HOST_LINE_BYTES = 16
const ENTRY_BYTES = 4
/** The result for a time that can't be read. */
const NO_TIME = -(2n ** 63n)
/**
 * The form of the hour is found for one of so many times outside the known hour. It takes as long as reading a time, and is of no
 * use for events without an order.
 */
const OTHER_HOURS = 8

let module: WebAssembly.Module | undefined

/**
 * Reads lines in pieces of any size and writes their events as columns, with a column for the members that no other holds. Lines
 * that may be invalid, or have a rare form, are returned for other code to read.
 */
export class EventScanner {
  private readonly code: ScannerCode
  private readonly seed = randomBytes(8).readBigUInt64LE()
  private memory: Buffer
  private schema: EventSchema | undefined
  private timeFormat: TimeFormat | undefined
  /** The form of the hour of the last time. Most times are in the same hour as the time before. */
  private hour: SameHour | undefined
  /** The last time without such a form. Numbers of seconds are often equal to the one before. */
  private last: { readonly written: string; readonly time: bigint } | undefined
  /** The number of times that were in other hours than the time before. */
  private otherHours = 0
  /** The address of the lines to read. */
  private readonly input: number
  /** The bytes of an unfinished line in front of the next ones. */
  private kept = 0
  /** The pieces of a line that is too long for the memory. */
  private long: Buffer[] = []
  private bytes = 0
  private lines: HostLine[] = []

  constructor() {
    module ??= compileWasm('event-scanner.wasm')
    const host = {
      hostTime: (start: number, end: number, isString: number) =>
        this.timeOf(start, end, isString !== 0),
      hostSkips: (object: number, start: number, end: number) => this.skips(object, start, end),
      hostReal: (start: number, end: number) => Number(this.memory.toString('latin1', start, end)),
    }
    const { exports } = new WebAssembly.Instance(module, { host })
    this.code = exports as unknown as ScannerCode
    this.memory = Buffer.from(this.code.memory.buffer)
    this.input = this.code.input.value
    powerTables().copy(this.memory, this.code.powers.value)
  }

  begin({ schema, arrivedAt, timeFormat, ...options }: ScanOptions): void {
    const { firstRow = 0, sequence = 0n, isByHost = false } = options
    const { hasNews, newSlotCount } = this.code
    const isChanged = hasNews.value !== 0 || newSlotCount.value !== 0
    if (schema !== this.schema || isChanged) this.load(schema)
    this.timeFormat = timeFormat
    this.hour = undefined
    this.last = undefined
    const root = isByHost ? 0 : SLOTS_ADDRESS
    const hasOtherFormat = timeFormat !== undefined
    this.code.begin(root, schema.others, arrivedAt, hasOtherFormat, firstRow, sequence)
    this.kept = 0
    this.long = []
    this.bytes = 0
    this.lines = []
  }

  /** The memory into which the next bytes must be written; invalid after `push`. */
  get room(): Buffer {
    const from = this.input + this.kept
    return this.memory.subarray(from, from + this.code.chunkBytes.value)
  }

  /** Reads the first bytes of `room`. Yields columns in ClickHouse's format `Native`, which are valid until the next step. */
  *push(bytes: number): Generator<Buffer> {
    const end = this.input + this.kept + bytes
    this.bytes += bytes
    yield* this.read(end)
  }

  /** Reads an unfinished last line. */
  *end(): Generator<Buffer> {
    if (this.long.length > 0) this.endLongLine()
    if (this.kept === 0) return
    const end = this.input + this.kept
    this.memory[end] = LINE_FEED
    yield* this.read(end + 1)
  }

  /** Returns the lines found since the last call that other code has to read. */
  takeLines(): readonly HostLine[] {
    const { lines } = this
    this.lines = []
    return lines
  }

  get counts(): ScanCounts {
    const { lineCount, filledCount, rowCount } = this.code
    return {
      bytes: this.bytes,
      lines: lineCount.value,
      filled: filledCount.value,
      rows: rowCount.value,
    }
  }

  /** The first and the last of the times that were written; undefined when there is none. */
  get extent(): TimeExtent | undefined {
    const { firstTime, lastTime } = this.code
    if (firstTime.value > lastTime.value) return undefined
    return { first: firstTime.value, last: lastTime.value }
  }

  /** Returns the members with values that the schema does not expect. */
  unexpected(): readonly UnexpectedValues[] {
    if (this.code.hasNews.value === 0) return []
    const paths = new Map<number, FieldPath>()
    for (const [i, path] of (this.schema?.paths ?? []).entries()) {
      paths.set(SLOTS_ADDRESS + i * SLOT_BYTES, path)
    }
    const { newSlots, newSlotCount } = this.code
    for (let i = 0; i < newSlotCount.value; i++) {
      const slot = newSlots.value + i * SLOT_BYTES
      const key = this.field(slot, FIELD.key)
      const name = this.keyAt(key, key + this.field(slot, FIELD.keyLength) - 1)
      paths.set(slot, [...(paths.get(this.field(slot, FIELD.parent)) ?? []), name])
    }
    return [...paths].flatMap(([slot, path]) => {
      const kinds = this.field(slot, FIELD.news)
      return kinds === 0 ? [] : [{ path, kinds, count: this.field(slot, NEWS_COUNT) }]
    })
  }

  /** Reads the complete lines up to `end`, and keeps the rest. */
  private *read(end: number): Generator<Buffer> {
    let at = this.input
    if (this.long.length > 0) {
      const lineEnd = this.memory.subarray(at, end).indexOf(LINE_FEED)
      if (lineEnd === -1) return this.keepLong(at, end)
      this.keepLong(at, at + lineEnd)
      this.endLongLine()
      at += lineEnd + 1
    }
    const complete = at + this.memory.subarray(at, end).lastIndexOf(LINE_FEED) + 1
    const { output, outputEnd } = this.code
    while (at < complete) {
      at = this.code.read(at, complete)
      this.takeHostLines()
      if (outputEnd.value > output.value) {
        yield this.memory.subarray(output.value, outputEnd.value)
      }
    }
    if (end - at > this.code.maxLineBytes.value) return this.keepLong(at, end)
    this.memory.copyWithin(this.input, at, end)
    this.kept = end - at
  }

  private keepLong(start: number, end: number): void {
    this.long.push(Buffer.from(this.memory.subarray(start, end)))
    this.kept = 0
  }

  private endLongLine(): void {
    const { lineCount, filledCount } = this.code
    const bytes = Buffer.concat(this.long)
    this.lines.push({ row: lineCount.value, index: filledCount.value, bytes })
    this.long = []
    this.code.skipLine()
  }

  private takeHostLines(): void {
    const { hostLines, hostLineEntries } = this.code
    for (let i = 0; i < hostLines.value; i++) {
      const at = hostLineEntries.value + i * HOST_LINE_BYTES
      const bytes = this.memory.subarray(this.field(at, 8), this.field(at, 12))
      this.lines.push({
        row: this.field(at, 0),
        index: this.field(at, 4),
        bytes: Buffer.from(bytes),
      })
    }
  }

  private timeOf(start: number, end: number, isString: boolean): bigint {
    const { memory, timeFormat } = this
    const known = this.hour && timeInHour(this.hour, memory, start, end)
    if (known !== undefined) return known
    const written = memory.toString('utf8', start, end)
    if (written === this.last?.written) return this.last.time
    const text = isString && written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
    const time = parseEventTime(text, timeFormat)
    if (time !== undefined && text === written && this.otherHours++ % OTHER_HOURS === 0) {
      const pattern = patternOf(text, timeFormat)
      this.hour = pattern && hourOf(text, pattern)
    }
    this.last = { written, time: time ?? NO_TIME }
    return this.last.time
  }

  /** True when the schema does not use a member of an object. */
  private skips(object: number, start: number, end: number): boolean {
    const outer = this.schema?.paths[(object - SLOTS_ADDRESS) / SLOT_BYTES]
    return outer !== undefined && this.schema?.skips([...outer, this.keyAt(start, end)]) === true
  }

  /** Returns a key that is in the memory as in JSON, without quotes. */
  private keyAt(start: number, end: number): string {
    return JSON.parse(`"${this.memory.toString('utf8', start, end)}"`)
  }

  private field(address: number, field: number): number {
    return this.memory.readUInt32LE(address + field)
  }

  /** Writes a schema into the memory, with a hash table of its slots after it. */
  private load(schema: EventSchema): void {
    const { code } = this
    const { bytes, columnsAddress, columnCount, rowBytes } = schema
    const slots = schema.paths.length
    const table = SLOTS_ADDRESS + Math.ceil(bytes.length / ENTRY_BYTES) * ENTRY_BYTES
    const entries = 2 ** Math.ceil(Math.log2(2 * (slots + code.maxNewSlots.value)))
    const end = table + entries * ENTRY_BYTES
    if (growMemory(code.memory, end)) this.memory = Buffer.from(code.memory.buffer)
    bytes.copy(this.memory, SLOTS_ADDRESS)
    this.memory.fill(0, table, end)
    code.addSlots(SLOTS_ADDRESS, slots, table, entries, this.seed)
    code.clearNews()
    code.setColumns(columnsAddress, columnCount, rowBytes)
    this.schema = schema
  }
}
