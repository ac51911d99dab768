import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
