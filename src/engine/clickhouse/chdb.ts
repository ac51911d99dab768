import { DescribedError } from '../../text/described-error.js'

/** What is used of the embedded ClickHouse library. */
interface Chdb {
  readonly Session: new (
    directory: string,
    options: { connectionArgs: readonly string[] },
  ) => ChdbSession
  drainPending(): Promise<void>
}

/** One connection to the embedded engine; what is sent over it runs one after another. */
export interface ChdbSession {
  queryAsync(statement: string): Promise<{ bytes(): Uint8Array }>
  query(statement: string): string
  close(): void
}

/** The embedded engine is not installed, or not for this platform. */
export class EngineMissingError extends DescribedError {
  constructor(cause: unknown) {
    super(
      'engine-missing',
      'The local engine is not installed here. `npm install chdb` adds it (Linux and macOS); queries to a remote deployment work without it.',
      { cause },
    )
    this.name = 'EngineMissingError'
  }
}

// One session keeps one thread of libuv's pool busy; with the default of 4 a few slow queries would
// block every file operation of the process. The pool reads this when it is first used.
process.env.UV_THREADPOOL_SIZE ??= '16'

let loaded: Promise<Chdb> | undefined

/** Loads the library, once in the life of the process. */
export function loadChdb(): Promise<Chdb> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Chdb> {
  try {
    const chdb = await import('chdb')
    const { libchdbPath } = await import('chdb/libchdb')
    await leaveSignalsAlone(libchdbPath())
    return chdb
  } catch (cause) {
    throw new EngineMissingError(cause)
  }
}

async function leaveSignalsAlone(library: string): Promise<void> {
  // With the library's own handlers a crash of the process, V8's out-of-memory abort included, hangs
  // forever and keeps the lock of the data directory. They must be off before the first connection.
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return
  koffi.default.load(library).func('void chdb_set_signal_handlers_enabled(bool)')(false)
}
