// A thread that scans files, as `src/engine/input/input-scan.ts` starts it from the bundle.
const { join } = require('node:path')
const { openChunks } = require('./chunks.js')

const { addFile, load } = openChunks(join(__dirname, '../dist/bundle'))
// It has the chunks that are used by other commands, too.
addFile('./main.cjs')
load('./scan-worker.cjs')
