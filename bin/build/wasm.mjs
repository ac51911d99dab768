// @ts-check
// Compiles the AssemblyScript modules, whose functions process each byte of a response or a request, to WebAssembly.
import { readdirSync, rmSync } from 'node:fs'
import asc from 'assemblyscript/asc'

// The npm package includes all `.wasm` files in `dist/`, so modules of earlier builds must go.
for (const name of readdirSync('dist')) if (name.endsWith('.wasm')) rmSync(`dist/${name}`)
await compile('src/render/transpose/assembly/index.ts', 'dist/transposer.wasm')
await compile('src/wire/csv/assembly/index.ts', 'dist/csv-rows.wasm')
await compile('src/input/mapping/assembly/index.ts', 'dist/line-rewriter.wasm')
await compile('src/engine/ingest/scan/assembly/index.ts', 'dist/event-scanner.wasm')

/**
 * @param {string} source
 * @param {string} target
 */
async function compile(source, target) {
  const { error, stderr } = await asc.main([
    source,
    ...['--outFile', target],
    ...['-O3', '--converge', '--noAssert'],
    // The functions write only to memory that their callers provide: they neither allocate nor throw.
    ...['--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
  ])
  if (!error) return
  process.stderr.write(stderr.toString())
  throw error
}
