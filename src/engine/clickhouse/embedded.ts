import { raw, sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import { ARRIVAL_INDEX_NAME } from '../catalog/table.js'
import { MAX_TOKEN_INDEXES, tokenIndexName } from '../catalog/token-indexes.js'
import type { Engine } from '../engine.js'
import { RESERVED_BYTES } from '../spool.js'
import { type ChdbSession, LIBRARY, loadChdb } from './chdb.js'
import { embeddedEngine, type StatementTimeouts } from './embedded-engine.js'
import { enableForcedExit } from './forced-exit.js'
import { pageReleases, releasePages, usesMuchMemory } from './library-pages.js'
import { RunningStatements, SESSIONS } from './running-statements.js'
import { SessionPool } from './session-pool.js'
import { STATEMENT_SETTINGS } from './settings.js'
import { inUtc } from './time-zone.js'

/** The limit of each of the caches, which is 5 GiB by default. A mark has 24 bytes: a billion events in 20 columns have 60 MB of them. */
const CACHE_BYTES = 256 * 1024 * 1024
const CACHES = ['mark_cache_size', 'index_mark_cache_size', 'primary_index_cache_size']

// Merges build them: an insert is faster, and most parts exist for seconds.
const UNBUILT_INDEXES = [
  ARRIVAL_INDEX_NAME,
  ...Array.from({ length: MAX_TOKEN_INDEXES }, (_, i) => tokenIndexName(i + 1)),
]

// Less than batches leave free: the rows of batches that the journal has accepted must be stored before any other statement.
const KEPT_FREE_BYTES = RESERVED_BYTES / 2

// By default, the engine keeps a thousand threads that have no work. Each has a stack and three open files, and a burst of statements
// leaves hundreds of them in a service.
const IDLE_THREADS = 16

// By default, four merges run at once on two threads. One at a time leaves processor time to an ingest, and takes less memory: 9 million
// events of 30 fields took 53 seconds and 490 MB instead of 71 seconds and 660 MB.
const ONE_MERGE = [
  '--background_pool_size=1',
  '--background_merges_mutations_concurrency_ratio=1',
  // When the only slot is taken, the next merge, or the next of a hundred parts of a deletion, is tried after these seconds, which grow
  // by a tenth each time. By default, it is 0.1 to 1.1 seconds.
  '--background_processing_pool_thread_sleep_seconds_if_nothing_to_do=0.01',
  '--background_processing_pool_task_sleep_seconds_when_no_work_random_part=0',
]

const SESSION_ARGUMENTS = [
  ...ONE_MERGE,
  `--exclude_materialize_skip_indexes_on_insert=${UNBUILT_INDEXES.join(',')}`,
  ...Object.entries(STATEMENT_SETTINGS).map(([name, value]) => `--${name}=${value}`),
  ...CACHES.map((name) => `--${name}=${CACHE_BYTES}`),
  `--max_thread_pool_free_size=${IDLE_THREADS}`,
  // When the programs of a cgroup use most of its memory, the engine would write a line about its allocator to standard error.
  '--memory_worker_decay_adjustment_period_ms=0',
  // Rows that a deletion will remove are not read any more.
  '--apply_mutations_on_fly=1',
  `--storage_configuration.disks.default.keep_free_space_bytes=${KEPT_FREE_BYTES}`,
]

/** The engine has started and runs its first statement; longer work needs the memory for its data. */
const RELEASE_AFTER_MS = 50

const STATEMENT_TIMEOUTS: StatementTimeouts = { readMs: 120_000, changeMs: 600_000 }

export interface EmbeddedOptions extends Pick<Engine, 'isTemporary'> {
  readonly directory: string
  readonly statementLimits?: StatementTimeouts
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/** Opens ClickHouse inside this process on a directory that no other process has open. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  const chdb = await loadChdb()
  const sessions: ChdbSession[] = []
  let opening = 0
  let named = 0
  let statements: RunningStatements | undefined
  const removeHandlers = await enableForcedExit(() => opening > 0 || statements?.isBusy === true)
  const create = () => new chdb.Session(options.directory, { connectionArgs: SESSION_ARGUMENTS })
  const open = async (first: string): Promise<ChdbSession> => {
    opening += 1
    try {
      // The engine starts with the first session.
      const session = sessions.length === 0 ? await inUtc(create) : create()
      sessions.push(session)
      await session.queryAsync(first)
      return session
    } finally {
      opening -= 1
    }
  }
  const release = async (): Promise<void> => {
    for (const session of sessions) session.close()
    await chdb.drainPending()
    removeHandlers()
  }
  const admin = await open(`CREATE DATABASE IF NOT EXISTS ${DATASETS} ENGINE = Atomic`).catch(
    async (error: unknown) => {
      await release().catch(() => {})
      throw error
    },
  )
  const releasing = setTimeout(() => void releasePages(LIBRARY), RELEASE_AFTER_MS).unref()
  statements = new RunningStatements(admin, (message) => options.warn?.(message))
  return embeddedEngine({
    directory: options.directory,
    statements,
    pool: new SessionPool(SESSIONS, async () => {
      // Assigned before the session is open: several are opened at once, and each needs a name of its own.
      const name = `connection-${++named}`
      const first = sql`USE ${raw(DATASETS)}; SET log_comment = ${text(name)}`
      return { session: await open(first.text), name }
    }),
    loaded: pageReleases(LIBRARY),
    timeouts: options.statementLimits ?? STATEMENT_TIMEOUTS,
    isTemporary: options.isTemporary,
    async release() {
      clearTimeout(releasing)
      // Closing runs code that statements do not.
      if (usesMuchMemory()) await releasePages(LIBRARY)
      await release()
    },
  })
}
