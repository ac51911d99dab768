// The thread that converts logs. `src/input/log/thread/conversion-thread.ts` starts it when the program runs from the bundle.
const { join } = require('node:path')
const { openChunks } = require('./chunks.js')

const { addFile, load } = openChunks(join(__dirname, '../dist/bundle'))
// `main.cjs` has the chunks that this thread shares with the commands.
addFile('./main.cjs')
load('./conversion-worker.cjs')
