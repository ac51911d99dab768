import { compileWasm } from '../../wire/bytes/wasm-module.js'

/** A global that a function of `assembly/` sets in addition to its result. */
interface Global {
  readonly value: number
}

/** The functions of `assembly/`, whose parameters are documented there; addresses are positions in `memory`. */
export interface Transposer {
  readonly memory: WebAssembly.Memory
  scan(start: number, places: number): number
  readonly columns: Global
  readonly rows: Global
  readonly end: Global
  encode(...values: readonly number[]): number
  readonly written: Global
  textsEnd(from: number, count: number, end: number): number
  findTexts(from: number, count: number, end: number, places: number): number
  addMember(members: number, place: number): void
}

/** Writes the cell between two addresses to `out` in the output format; returns the number of bytes written. */
type EncodeCell = (start: number, end: number, out: number) => number

/** Functions for cells that cannot be copied as they are, given as JSON or as text, and for keys with escapes. */
interface Host {
  readonly encodeJson: EncodeCell
  readonly encodeText: EncodeCell
  readonly encodeForeign: (...cell: [...Parameters<EncodeCell>, isInside: number]) => number
  readonly encodeReal: (value: number, out: number) => number
  readonly decodeKey: EncodeCell
}

export function loadTransposer(host: Host): Transposer {
  const imports = { host: { ...host } }
  const { exports } = new WebAssembly.Instance(compileWasm('transposer.wasm'), imports)
  return exports as Transposer
}
