import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { lowLimitText } from '../../text/resource-limits.js'
import { DescribedError } from '../../text/system-error.js'

/** The part of the embedded ClickHouse library that is used. */
interface Chdb {
  readonly Session: new (
    directory: string,
    options: { connectionArgs: readonly string[] },
  ) => ChdbSession
  drainPending(): Promise<void>
}

/** The file name of the engine. */
export const LIBRARY = 'libchdb.so'

/** A connection to the embedded engine; it runs one statement at a time. */
export interface ChdbSession {
  queryAsync(statement: string): Promise<{ bytes(): Uint8Array }>
  /** Plans a query on the calling thread and streams its output: each chunk has whole rows. */
  queryStream(statement: string): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

/** The embedded engine is not installed, or does not support this platform. */
export class EngineMissingError extends DescribedError {
  override readonly name = 'EngineMissingError'

  constructor(cause: unknown) {
    super(
      'The local engine is not installed. Install it with `npm install chdb` (Linux and macOS); queries to a remote deployment work without it.',
      { cause },
    )
  }
}

// Each session occupies a thread of libuv's pool; with the default of 4, a few slow queries would block all file operations
// of the process. The pool reads this variable when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

// Memory that statements have freed returns to the system after a fifth of a second instead of five seconds, on Linux by a thread of
// its own: otherwise memory of an idle thread stays until that thread allocates again. jemalloc refuses to start with this option
// where it has no such thread, as on macOS. The library reads this variable when it is loaded.
const RETURN_MEMORY = 'dirty_decay_ms:200,muzzy_decay_ms:0'
process.env.JE_MALLOC_CONF ??=
  process.platform === 'linux' ? `background_thread:true,${RETURN_MEMORY}` : RETURN_MEMORY

const requirePackage = createRequire(import.meta.url)

let loaded: Promise<Chdb> | undefined

/** Loads the library, once per process. Rejects with an `EngineMissingError`. */
export function loadChdb(): Promise<Chdb> {
  loaded ??= load()
  return loaded
}

/** Starts to load the library, before it is certain that it can be used: `loadChdb` reports the failure. */
export function prepareChdb(): void {
  loadChdb().catch(() => {})
}

/** With lower limits, the library can't be loaded, ends the process, or can't open the data. */
const NEEDED = { files: 128, memoryBytes: 4 * 1024 ** 3 }

async function load(): Promise<Chdb> {
  const tooLow = lowLimitText('The local engine', NEEDED)
  if (tooLow !== undefined) throw new DescribedError(tooLow)
  requireCurrentDirectory()
  try {
    await openLibrary()
    skipQueryBuilder()
    return await import('chdb')
  } catch (cause) {
    throw new EngineMissingError(cause)
  }
}

/** Throws a `DescribedError` when the current directory has been deleted: the library fails then, and does not give the reason. */
function requireCurrentDirectory(): void {
  try {
    process.cwd()
  } catch (cause) {
    throw new DescribedError(
      'The current directory has been deleted, and the local engine needs one. Change to another directory.',
      { cause },
    )
  }
}

/**
 * Registers an empty module in place of the package's query builder, which is not used here. The package always loads it, which takes
 * 20 ms: a tenth of the time of a command that stores an event.
 */
function skipQueryBuilder(): void {
  const { cache, resolve } = requirePackage
  const file = join(dirname(resolve('chdb')), 'dist/layer3/index.js')
  cache[file] ??= Object.assign(new Module(file), { loaded: true })
}

/** The mode of `dlopen` in which Node opens libraries. */
const RTLD_LAZY = 1

/**
 * Opens the library before its package does, and disables its signal handlers. On Linux, another thread opens it from this call on:
 * that takes 40 ms, in which this thread loads the rest of the program. Other systems may need more stack than the thread has.
 */
async function openLibrary(): Promise<void> {
  const koffi = optionalKoffi()
  if (koffi === undefined) return
  const { libchdbPath } = requirePackage('chdb/libchdb') as typeof import('chdb/libchdb')
  const path = libchdbPath()
  if (process.platform === 'linux') {
    const dlopen = koffi.load(null).func('void *dlopen(str, int)')
    // A failure is reported by `load` below.
    await new Promise((resolve) => dlopen.async(path, RTLD_LAZY, resolve))
  }
  // With the library's signal handlers, a crash of the process, including V8's out-of-memory abort, hangs forever and keeps
  // the data directory locked. They must be disabled before the first connection.
  koffi.load(path).func('void chdb_set_signal_handlers_enabled(bool)')(false)
}

function optionalKoffi(): typeof import('koffi') | undefined {
  try {
    return requirePackage('koffi') as typeof import('koffi')
  } catch {
    return undefined
  }
}
