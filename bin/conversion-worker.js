// The thread on which logs are converted, as `src/input/log/thread/conversion-thread.ts` starts it from the bundle.
const { join } = require('node:path')
const { openChunks } = require('./chunks.js')

const { addFile, load } = openChunks(join(__dirname, '../dist/bundle'))
// It has the chunks that are used by other commands, too.
addFile('./main.cjs')
load('./conversion-worker.cjs')
