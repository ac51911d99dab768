const fs = require('node:fs')
const { dirname, isAbsolute, join } = require('node:path')
const vm = require('node:vm')

const ID = /^\/\/([0-9a-f]{16})\n/
// Of cached code, V8 checks only its own version, its flags and the length of the source.
const SUFFIX = `.${process.version}-${process.arch}.cache`

/** Modules of Node that take milliseconds to load, and that many commands import but do not use. */
const SLOW = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:zlib']

/**
 * The defaults of the flags that the program changes for the rest of its run. V8 accepts cached code only under the flags under
 * which it was compiled.
 */
const DEFAULT_FLAGS = [
  '--heap-growing-percent=0',
  '--no-enable-experimental-regexp-engine-on-excessive-backtracks',
  '--semi-space-growth-factor=2',
]

/**
 * Opens the files that `bin/build/bundle.mjs` wrote: `main.cjs`, and one file for each chunk outside it. A file is read when
 * one of its chunks is first loaded, together with the code that V8 has compiled of it, if that is stored next to the file or
 * in the user's cache directory.
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
    // Copies, because esbuild defines a getter for each export, and the getter of a number may take longer than the loop that uses it.
    module.exports = Object.defineProperty({ ...module.exports }, '__esModule', { value: true })
    return module.exports
  }

  /** Registers the chunks in a file. */
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

  /** Stores the code that V8 has compiled so far of the files that were read without compiled code. */
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

/** Returns a module that is loaded when one of its members is first accessed. */
function whenUsed(name) {
  let loaded
  const members = () => (loaded ??= require(name))
  return new Proxy(
    {},
    {
      get: (_, key) => members()[key],
      has: (_, key) => key in members(),
      ownKeys: () => Reflect.ownKeys(members()),
      getOwnPropertyDescriptor: (_, key) => ({
        configurable: true,
        enumerable: true,
        value: members()[key],
      }),
    },
  )
}

/** True when Node runs with flags, under which V8 may compile code that it rejects without them. */
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

/** Reads a file of the cache directory if it belongs to this user: compiled code of another user must not run. */
function readOwn(file) {
  try {
    const path = file()
    return fs.statSync(path).uid === process.getuid() ? fs.readFileSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Writes to a temporary file and renames it, because another process may read the file at the same time. */
function write(file, data) {
  try {
    const path = file()
    const draft = `${path}.${process.pid}`
    makeDirectory(dirname(path))
    fs.writeFileSync(draft, data, { mode: 0o600 })
    fs.renameSync(draft, path)
    return true
  } catch {
    return false
  }
}

/** Creates a directory with its parents. Node's own `recursive` loops forever where new names are rejected with ENOENT, as in /proc. */
function makeDirectory(path) {
  try {
    fs.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    makeDirectory(dirname(path))
    fs.mkdirSync(path, { mode: 0o700 })
  }
}

function cacheDirectory() {
  const { XDG_CACHE_HOME = '' } = process.env
  const home = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined
  return join(home ?? join(require('node:os').homedir(), '.cache'), 'evq')
}

module.exports = { openChunks }
