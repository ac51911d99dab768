// A thread that scans files. `src/engine/input/input-scan.ts` starts it when the program runs from the bundle.
const { join } = require('node:path')
const { openChunks } = require('./chunks.js')

const { addFile, load } = openChunks(join(__dirname, '../dist/bundle'))
// `main.cjs` has the chunks that this thread shares with the commands.
addFile('./main.cjs')
load('./scan-worker.cjs')
