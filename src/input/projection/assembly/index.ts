// An AssemblyScript program, like `engine/ingest/scan/assembly/`, whose readers of strings, numbers and times it shares.
// `bin/build/wasm.mjs` compiles it to `dist/line-projection.wasm`, which `../line-projector.ts` loads.

export { project } from './project'
