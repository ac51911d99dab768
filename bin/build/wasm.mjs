// @ts-check
// Compiles what is written in AssemblyScript, whose functions go over each byte of an answer or of a request, to
// WebAssembly.
import { readdirSync, rmSync } from 'node:fs'
import asc from 'assemblyscript/asc'

// A package holds all modules that are there, also those of earlier sources.
for (const name of readdirSync('dist')) if (name.endsWith('.wasm')) rmSync(`dist/${name}`)
await compile('src/render/transpose/assembly/index.ts', 'dist/transposer.wasm')
await compile('src/wire/csv/assembly/index.ts', 'dist/csv-rows.wasm')
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
    // It keeps what it has to keep where it is told to: nothing is allocated, and nothing thrown.
    ...['--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
  ])
  if (!error) return
  process.stderr.write(stderr.toString())
  throw error
}
