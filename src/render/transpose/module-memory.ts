import { growMemory } from '../../wire/bytes/wasm-module.js'
import { stringValue } from '../cell.js'
import { engineJson, engineReal } from './engine-json.js'
import { loadTransposer, type Transposer } from './transposer.js'
import { engineString, validText } from './valid-text.js'

const WORD_BYTES = 4

/** The memory of the WebAssembly module: a response at address 0, and what was allocated after it. */
export class ModuleMemory {
  readonly code: Transposer
  /** All bytes; another buffer after the memory has grown. */
  bytes: Buffer
  /** The first address that is not allocated. */
  free = 0
  /** Encodes the cells that the module cannot encode. */
  encodeCell: (cell: string) => string = String

  constructor() {
    this.code = loadTransposer({
      encodeJson: (start, end, out) => this.encode(this.textAt(start, end), out),
      encodeText: (start, end, out) => this.encode(engineString(this.textAt(start, end)), out),
      encodeForeign: (start, end, out, isInside) =>
        this.encode(engineJson(this.textAt(start, end), { isInside: isInside !== 0 }), out),
      encodeReal: (value, out) => this.encode(engineReal(value), out),
      decodeKey: (start, end, out) =>
        this.bytes.write(stringValue(`"${this.textAt(start, end)}"`), out),
    })
    this.bytes = Buffer.from(this.code.memory.buffer)
  }

  /** Grows the memory to at least this size; returns false when it cannot grow. */
  reserve(bytes: number): boolean {
    try {
      growMemory(this.code.memory, bytes)
    } catch {
      return false
    }
    this.refresh()
    return true
  }

  /** Growing replaces the buffer of the memory. */
  refresh(): void {
    const { buffer } = this.code.memory
    if (this.bytes.buffer !== buffer) this.bytes = Buffer.from(buffer)
  }

  /** Allocates everything in front of an address. */
  allocateTo(address: number): void {
    this.free = aligned(address)
  }

  /** Returns the address of newly allocated memory. Throws a `RangeError` when there is not enough. */
  allocate(bytes: number): number {
    const address = this.free
    if (!this.reserve(address + bytes)) throw new RangeError('The response is too long.')
    this.allocateTo(address + bytes)
    return address
  }

  writeNumbers(numbers: readonly number[], address: number): void {
    for (const [i, number] of numbers.entries()) {
      this.bytes.writeUInt32LE(number, address + i * WORD_BYTES)
    }
  }

  private encode(cell: string, out: number): number {
    return this.bytes.write(this.encodeCell(cell), out)
  }

  private textAt(start: number, end: number): string {
    return validText(this.bytes.subarray(start, end))
  }
}

/** Returns the first address from this one on at which vectors may begin. */
export function aligned(address: number): number {
  return Math.ceil(address / 16) * 16
}
