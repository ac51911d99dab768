#!/usr/bin/env node
// This folder is CommonJS, because loading an ES module starts Node's thread pool before its size can be set.
const { closeSync, fstatSync, statSync } = require('node:fs')
const { join } = require('node:path')

// A running query occupies one thread of Node's pool; with the default of 4 threads, a few slow queries would block all file
// operations. The pool reads its size when it is first used.
if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = '16'

// As in package.json. This file parses in older versions, too.
const NODE = [20, 18]

const LOOK_AGAIN_MS = 200

const modules = join(__dirname, '../dist/main.js')
const bundle = join(__dirname, '../dist/bundle')

const program = isNodeOld() ? undefined : load()
if (program !== undefined) {
  closeLostTerminalsAtExit()
  run(program)
} else {
  const { execPath, version } = process
  const reason = isNodeOld()
    ? `evq requires Node ${NODE.join('.')} or later; \`${execPath}\` is ${version}.`
    : 'evq is not built yet: `npm run build` does it.'
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}

function isNodeOld() {
  const [major, minor] = process.version.slice(1).split('.').map(Number)
  return major < NODE[0] || (major === NODE[0] && minor < NODE[1])
}

/** Loads the bundle, or the modules if they are newer: in development, `tsc` alone may have run. */
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

/** Ends the process by a signal: a shell stops a loop or a script only if its command died of SIGINT, whatever the exit code. */
function dieBy(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // The first process of a container does not receive signals that have no handler.
  process.exit()
}

/** Node restores the modes of the terminals that it was started on when it exits, and aborts if one of them was closed. */
function closeLostTerminalsAtExit() {
  const isTerminal = (fd) => require('node:tty').isatty(fd)
  // Only a terminal needs the module, which takes time to load.
  const terminals = [0, 1, 2].filter((fd) => fstatSync(fd).isCharacterDevice() && isTerminal(fd))
  process.on('exit', () => {
    for (const fd of terminals) if (!isTerminal(fd)) closeSync(fd)
  })
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
  // The process exits by itself after its last output, unless a query that cannot be cancelled keeps it alive.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
  }, LOOK_AGAIN_MS).unref()
}
