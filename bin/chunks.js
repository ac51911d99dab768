const fs = require('node:fs')
const { dirname, isAbsolute, join } = require('node:path')
const vm = require('node:vm')

const ID = /^\/\/([0-9a-f]{16})\n/
// V8 itself compares its version and the length of the source, and nothing more of it.
const SUFFIX = `.${process.version}-${process.arch}.cache`

/** Parts of Node that take milliseconds to load, and that many commands name but do not come to use. */
const SLOW = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:zlib']

/**
 * The defaults of the flags that the program changes while it runs. V8 takes compiled code only under the flags it was made
 * under.
 */
const DEFAULT_FLAGS = [
  '--wasm-tiering-budget=1800000',
  '--semi-space-growth-factor=2',
  '--heap-growing-percent=0',
  '--no-enable-experimental-regexp-engine-on-excessive-backtracks',
]

/**
 * The files of the program that `bin/build/bundle.mjs` made: `main.cjs`, and one for each chunk that is not in it. A file
 * is read when a chunk in it is first loaded, with V8's compiled form of it when one was stored: next to it, or in the
 * user's cache directory.
 */
function openChunks(directory) {
  const functions = {}
  const modules = new Map()
  const uncompiled = []

  function load(name) {
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    if (functions[name] === undefined) addFile(name)
    const file = join(directory, name)
    const module = { exports: {} }
    modules.set(name, module)
    functions[name](module.exports, requireFrom, module, file)
    return module.exports
  }

  /** Makes the chunks in a file known. */
  function addFile(name) {
    Object.assign(functions, compiled(name, join(directory, name)).runInThisContext())
  }

  function requireFrom(name) {
    if (name.startsWith('./')) return load(name)
    return SLOW.includes(name) ? whenUsed(name) : require(name)
  }

  function compiled(name, filename) {
    const source = fs.readFileSync(filename, 'latin1')
    const adjacent = filename + SUFFIX
    const own = () => join(cacheDirectory(), ID.exec(source)[1], name + SUFFIX)
    const cachedData = read(adjacent) ?? readOwn(own)
    const script = new vm.Script(source, { filename, cachedData })
    if (cachedData === undefined) uncompiled.push({ script, adjacent, own })
    return script
  }

  /** Keeps what V8 has compiled so far of the files whose compiled form was not there. */
  function keepCompiled() {
    if (uncompiled.length === 0 || hasFlags()) return
    for (const flag of DEFAULT_FLAGS) require('node:v8').setFlagsFromString(flag)
    for (const { script, adjacent, own } of uncompiled) {
      const data = script.createCachedData()
      if (!write(() => adjacent, data)) write(own, data)
    }
  }

  return { load, addFile, keepCompiled }
}

/** A module that is loaded when something of it is first asked for. */
function whenUsed(name) {
  return new Proxy(
    {},
    {
      get: (_, key) => require(name)[key],
      has: (_, key) => key in require(name),
      ownKeys: () => Reflect.ownKeys(require(name)),
      getOwnPropertyDescriptor: (_, key) => ({
        configurable: true,
        enumerable: true,
        value: require(name)[key],
      }),
    },
  )
}

/** Under flags V8 may compile to what is of no use without them. */
function hasFlags() {
  return process.execArgv.length > 0 || (process.env.NODE_OPTIONS ?? '') !== ''
}

function read(file) {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

/** Compiled code is code: what another user has put into the cache directory is not run. */
function readOwn(file) {
  try {
    const path = file()
    return fs.statSync(path).uid === process.getuid() ? fs.readFileSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Whole or not at all, since another process may read it at the same time. */
function write(file, data) {
  try {
    const path = file()
    const draft = `${path}.${process.pid}`
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    fs.writeFileSync(draft, data, { mode: 0o600 })
    fs.renameSync(draft, path)
    return true
  } catch {
    return false
  }
}

function cacheDirectory() {
  const { XDG_CACHE_HOME = '' } = process.env
  const home = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined
  return join(home ?? join(require('node:os').homedir(), '.cache'), 'evq')
}

module.exports = { openChunks }
