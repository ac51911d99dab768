// An AssemblyScript program, like `render/transpose/assembly/`. `bin/build/wasm.mjs` compiles it to
// `dist/line-scanner.wasm`, which `engine/ingest/scan/line-scanner.ts` loads.

export { firstTime, isColumnar, lastTime, outputEnd, setColumns } from './columns'
export { hasOtherTimes } from './event'
export {
  begin,
  events,
  finish,
  hasByteOrderMark,
  hasCarriageReturns,
  isPlain,
  lines,
  push,
} from './lines'
export { setOthers } from './others'
export { addSlots } from './schema'
