#!/usr/bin/env node
// This folder is CommonJS: loading an ES module starts Node's pool, with the size that it has then.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

// One query keeps one thread of Node's pool busy; with the default of 4, a few slow ones would
// block every file operation. The pool reads this when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

const LOOK_AGAIN_MS = 200

const built = join(__dirname, '../dist/main.js')
if (existsSync(built)) {
  run()
} else {
  process.stderr.write('evq is not built yet: `npm run build` does it.\n')
  process.exitCode = 1
}

async function run() {
  const { isInterrupted, main } = await import(pathToFileURL(built).href)
  process.exitCode = await main(process.argv.slice(2))
  // Otherwise the process ends by itself once the last of its output has left.
  if (isInterrupted(process.exitCode)) process.exit()
  // Only a query that nothing can end still keeps the process alive when all output has left.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
  }, LOOK_AGAIN_MS).unref()
}
