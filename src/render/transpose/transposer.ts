import { compileWasm } from '../../wire/bytes/wasm-module.js'

/** A global that a function of `assembly/` sets in addition to its result. */
interface Global {
  readonly value: number
}

/** The functions of `assembly/`, where their parameters are described; addresses are positions in `memory`. */
export interface Transposer {
  readonly memory: WebAssembly.Memory
  scan(start: number, places: number): number
  readonly columns: Global
  readonly rows: Global
  readonly end: Global
  encodeDelimited(...values: readonly number[]): number
  encodeNdjson(...values: readonly number[]): number
  readonly written: Global
  rowBytes(places: number, rows: number, order: number, wide: number, row: number): number
}

/** Writes the cell between two addresses to `out` in the output format; returns the number of bytes written. */
type EncodeCell = (start: number, end: number, out: number) => number

/** Instantiates the WebAssembly module; `encode` is called for each cell that cannot be copied as it is. */
export function loadTransposer(encode: EncodeCell): Transposer {
  const imports = { encode: { encodeByHost: encode } }
  const { exports } = new WebAssembly.Instance(compileWasm('transposer.wasm'), imports)
  return exports as Transposer
}
