// An AssemblyScript program (TypeScript syntax, compiled to WebAssembly): `usize` is an address, and `load<u8>(at)` reads a byte of
// memory. `bin/build/wasm.mjs` compiles it to `dist/transposer.wasm`, which `render/transpose/transposer.ts` loads.

export { findTexts, textsEnd } from './column'
export { encode, written } from './encode'
export { addMember } from './members'
export { columns, end, rows, scan } from './scan'
