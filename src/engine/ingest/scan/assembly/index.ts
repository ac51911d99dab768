// An AssemblyScript program, like `render/transpose/assembly/`. `bin/build/wasm.mjs` compiles it to
// `dist/event-scanner.wasm`, which `engine/ingest/scan/event-scanner.ts` loads.

export { powers } from '../../../../wire/assembly/real'
export { firstTime, lastTime, output, outputEnd, setColumns } from './columns'
export {
  begin,
  filledCount,
  hostLineEntries,
  hostLines,
  input,
  lineCount,
  read,
  rowCount,
  skipLine,
} from './lines'
export { CHUNK_BYTES as chunkBytes, MAX_LINE_BYTES as maxLineBytes } from './memory'
export { clearNews, hasNews } from './news'
export { addSlots, MAX_NEW_SLOTS as maxNewSlots, newSlotCount, newSlots } from './schema'
