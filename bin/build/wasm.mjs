// Compiles what is written in AssemblyScript, whose functions go over each byte of an answer, to WebAssembly.
import asc from 'assemblyscript/asc'

const { error, stderr } = await asc.main([
  'src/render/transpose/assembly/index.ts',
  ...['--outFile', 'dist/transposer.wasm'],
  ...['-O3', '--converge', '--noAssert'],
  // It keeps what it has to keep where it is told to: nothing is allocated, and nothing thrown.
  ...['--enable', 'simd', '--runtime', 'stub', '--use', 'abort='],
])
if (error) {
  process.stderr.write(stderr.toString())
  throw error
}
