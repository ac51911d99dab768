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
  query(statement: string): string
  /** Plans a query on the calling thread and streams its output: each chunk has whole rows. */
  queryStream(statement: string): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

/** The embedded engine is not installed, or does not support this platform. */
export class EngineMissingError extends DescribedError {
  constructor(cause: unknown) {
    super(
      'engine-missing',
      'The local engine is not installed. Install it with `npm install chdb` (Linux and macOS); queries to a remote deployment work without it.',
      { cause },
    )
    this.name = 'EngineMissingError'
  }
}

// Each session occupies a thread of libuv's pool; with the default of 4, a few slow queries would block all file operations
// of the process. The pool reads this variable when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

// Memory that statements have freed returns to the system after half a second instead of five. The library reads this variable
// when it is loaded.
process.env.JE_MALLOC_CONF ??= 'dirty_decay_ms:500,muzzy_decay_ms:0'

let loaded: Promise<Chdb> | undefined

/** Loads the library, once per process. Rejects with an `EngineMissingError`. */
export function loadChdb(): Promise<Chdb> {
  loaded ??= load()
  return loaded
}

/** With lower limits, the library can't be loaded, ends the process, or can't open the data. */
const NEEDED = { files: 128, memoryBytes: 4 * 1024 ** 3 }

/** A limit of the system is too low for the embedded engine. */
export class LowLimitError extends DescribedError {
  constructor(message: string) {
    super('limit', message)
    this.name = 'LowLimitError'
  }
}

async function load(): Promise<Chdb> {
  const tooLow = lowLimitText('The local engine', NEEDED)
  if (tooLow !== undefined) throw new LowLimitError(tooLow)
  try {
    skipQueryBuilder()
    const chdb = await import('chdb')
    const { libchdbPath } = await import('chdb/libchdb')
    await leaveSignalsAlone(libchdbPath())
    return chdb
  } catch (cause) {
    throw new EngineMissingError(cause)
  }
}

/**
 * Registers an empty module in place of the package's query builder, which is not used here. The package always loads it, which takes
 * 20 ms: a tenth of the time of a command that stores an event.
 */
function skipQueryBuilder(): void {
  const { cache, resolve } = createRequire(import.meta.url)
  const file = join(dirname(resolve('chdb')), 'dist/layer3/index.js')
  cache[file] ??= Object.assign(new Module(file), { loaded: true })
}

async function leaveSignalsAlone(library: string): Promise<void> {
  // With the library's signal handlers, a crash of the process, including V8's out-of-memory abort, hangs forever and keeps
  // the data directory locked. They must be disabled before the first connection.
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return
  koffi.default.load(library).func('void chdb_set_signal_handlers_enabled(bool)')(false)
}
