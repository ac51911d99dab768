#!/usr/bin/env node
// This folder is CommonJS: loading an ES module starts Node's pool, with the size that it has then.
const { statSync } = require('node:fs')
const { join } = require('node:path')

// One query keeps one thread of Node's pool busy; with the default of 4, a few slow ones would
// block every file operation. The pool reads this when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

const LOOK_AGAIN_MS = 200

const modules = join(__dirname, '../dist/main.js')
const bundle = join(__dirname, '../dist/bundle')

const program = load()
if (program === undefined) {
  process.stderr.write('evq is not built yet: `npm run build` does it.\n')
  process.exitCode = 1
} else {
  run(program)
}

/** The bundle, unless it is older than the modules: then `tsc` ran alone, as in development. */
function load() {
  const modulesAt = builtAt(modules)
  const bundleAt = builtAt(join(bundle, 'main.cjs'))
  if (bundleAt !== undefined && bundleAt >= (modulesAt ?? 0)) return loadBundle()
  if (modulesAt !== undefined) return import(require('node:url').pathToFileURL(modules).href)
}

function loadBundle() {
  if (process.argv.includes('--debug')) require('./stack.js').showSources()
  const { load, keepCompiled } = require('./chunks.js').openChunks(bundle)
  process.on('exit', keepCompiled)
  return load('./main.cjs')
}

/** A shell stops a loop or a script only when its command died by SIGINT, whatever the exit code. */
function dieBy(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // The first process of a container does not receive signals that have no handler.
  process.exit()
}

function builtAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

async function run(program) {
  const { main, signalOf } = await program
  const exitCode = await main(process.argv.slice(2))
  process.exitCode = exitCode
  const signal = signalOf(exitCode)
  if (signal !== undefined) dieBy(signal)
  // Otherwise the process ends by itself once the last of its output has left.
  // Only a query that nothing can end still keeps the process alive when all output has left.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
  }, LOOK_AGAIN_MS).unref()
}
