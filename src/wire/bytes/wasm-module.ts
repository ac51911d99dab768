import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WASM_PAGE_BYTES = 1 << 16

/**
 * Compiles a WebAssembly module that the build left in `dist/`. This code runs from `dist/bundle/`, from
 * `dist/wire/bytes/` or from `src/`, so `dist/` is searched for in each directory above it. Throws when it is in none of
 * them.
 */
export function compileWasm(name: string): WebAssembly.Module {
  for (let directory = dirname(fileURLToPath(import.meta.url)); ; directory = dirname(directory)) {
    const file = join(directory, 'dist', name)
    if (existsSync(file)) return new WebAssembly.Module(readFileSync(file))
    if (directory === dirname(directory)) {
      throw new Error(`\`dist/${name}\` is missing: \`npm run build\` creates it.`)
    }
  }
}

/**
 * Grows the memory to at least this size. Returns true if it has grown, which detaches its buffer. Throws a `RangeError` when there
 * is no memory left.
 */
export function growMemory(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = bytes - memory.buffer.byteLength
  if (missing <= 0) return false
  memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
  return true
}
