// An AssemblyScript program, like `render/transpose/assembly/`. `bin/build/wasm.mjs` compiles it to
// `dist/event-scanner.wasm`, which `engine/ingest/scan/event-scanner.ts` loads.

export { firstTime, lastTime, outputEnd, setColumns } from './columns'
export { setKeyRoom } from './escaped-key'
export {
  begin,
  filledCount,
  hostLines,
  lineCount,
  read,
  rowCount,
  setHostLines,
  skipLine,
} from './lines'
export { hasNews, setNewsLog } from './news'
export { setRemainders } from './remainder'
export { addSlots, newSlotCount, setNewSlots } from './schema'
