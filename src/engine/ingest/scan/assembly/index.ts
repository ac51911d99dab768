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
export { hasNews, setNewsLog } from './news'
export { setOthers } from './others'
export { setRemainders } from './remainder'
export { addSlots, newSlotCount, setNewSlots } from './schema'
export {
  beginWhole,
  filledCount,
  hostLines,
  lineCount,
  readWhole,
  rowCount,
  setHostLines,
  skipLine,
} from './whole-lines'
