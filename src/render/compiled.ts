import { readFileSync } from 'node:fs'

/** What a function of `transpose/assembly` gives back beside its result. */
interface Global {
  readonly value: number
}

/** The functions of `transpose/assembly`, which say there what they take; addresses are of their memory. */
export interface Compiled {
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

/** Writes to `out` the cell that stands between two addresses, and tells how many bytes it took. */
type EncodeCell = (start: number, end: number, out: number) => number

/** Makes ready what the build left in `dist`. */
export function compiled(encode: EncodeCell): Compiled {
  const bytes = readFileSync(new URL('../../dist/transposer.wasm', import.meta.url))
  const imports = { encode: { encodeByHost: encode } }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports)
  return exports as Compiled
}
