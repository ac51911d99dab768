import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readModule()), imports)
  return exports as Transposer
}

/**
 * Reads what the build left in `dist/`. This code runs from `dist/bundle/`, from `dist/render/transpose/` or from `src/`,
 * so `dist/` is searched for in each directory above it. Throws when it is in none of them.
 */
function readModule(): Buffer {
  for (let directory = dirname(fileURLToPath(import.meta.url)); ; directory = dirname(directory)) {
    const file = join(directory, 'dist', 'transposer.wasm')
    if (existsSync(file) || directory === dirname(directory)) return readFileSync(file)
  }
}
