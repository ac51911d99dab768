import { list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { orAborted } from '../../text/abort.js'
import { DATASETS, PARTS, tableOf } from '../catalog/database.js'
import {
  type Engine,
  EngineError,
  type EngineResult,
  type ReadLimits,
  type StreamOptions,
  statementTimeout,
  type TableChange,
} from '../engine.js'
import { RESERVED_BYTES } from '../ingest/spool.js'
import { type ChdbSession, LIBRARY, loadChdb } from './chdb.js'
import { deadlineOf } from './deadline.js'
import { type FileStatement, localSource } from './file-statement.js'
import { enableForcedExit } from './forced-exit.js'
import { KILL_ATTEMPTS, killUntilEnded } from './kill-attempts.js'
import { releasePages } from './library-pages.js'
import { estimateQuery, partsIn, splitResult } from './response.js'
import { SessionPool } from './session-pool.js'
import { sessionStream } from './session-stream.js'
import { readSettings, type Settings, STATEMENT_SETTINGS, streamSettings } from './settings.js'

const SESSIONS = 8
const CLOSE_TIMEOUT_MS = 3_000

const UNKILLABLE = `A statement still runs after ${KILL_ATTEMPTS} attempts to kill it. It occupies one of ${SESSIONS} connections to the engine until it ends or the service is restarted.`

/** The limit of each of the caches, which is 5 GiB by default. A mark has 24 bytes: a billion events in 20 columns have 60 MB of them. */
const CACHE_BYTES = 256 * 1024 * 1024
const CACHES = ['mark_cache_size', 'index_mark_cache_size', 'primary_index_cache_size']

const SESSION_ARGUMENTS = [
  ...Object.entries(STATEMENT_SETTINGS).map(([name, value]) => `--${name}=${value}`),
  ...CACHES.map((name) => `--${name}=${CACHE_BYTES}`),
  `--storage_configuration.disks.default.keep_free_space_bytes=${RESERVED_BYTES}`,
]

/** Timeouts of internal statements, including the wait for a connection. */
interface StatementTimeouts {
  /** For statements that only read. */
  readonly readMs: number
  /** For statements that change something: they may rewrite the parts of a dataset. */
  readonly changeMs: number
}

const STATEMENT_TIMEOUTS: StatementTimeouts = { readMs: 120_000, changeMs: 600_000 }

interface EmbeddedOptions {
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
  let embedded: EmbeddedEngine | undefined
  const removeHandlers = await enableForcedExit(() => opening > 0 || embedded?.isBusy === true)
  const open = async (first: string): Promise<ChdbSession> => {
    opening += 1
    try {
      const session = new chdb.Session(options.directory, { connectionArgs: SESSION_ARGUMENTS })
      sessions.push(session)
      await session.queryAsync(first)
      return session
    } finally {
      opening -= 1
    }
  }
  const admin = await open(`CREATE DATABASE IF NOT EXISTS ${DATASETS} ENGINE = Atomic`)
  await releasePages(LIBRARY)
  embedded = new EmbeddedEngine({
    admin,
    pool: new SessionPool(SESSIONS, async () => {
      // Assigned before the session is open: several are opened at once, and each needs a name of its own.
      const name = `connection-${++named}`
      const session = await open(`USE ${DATASETS}`)
      await session.queryAsync(sql`SET log_comment = ${text(name)}`.text)
      return { session, name }
    }),
    limits: options.statementLimits ?? STATEMENT_TIMEOUTS,
    warn: (message) => options.warn?.(message),
    async release() {
      await release(sessions, chdb.drainPending)
      removeHandlers()
    },
  })
  return embedded
}

async function release(
  sessions: readonly ChdbSession[],
  drain: () => Promise<void>,
): Promise<void> {
  for (const session of sessions) session.close()
  await drain()
}

/** A session and the `log_comment` that identifies its running statement. */
interface Connection {
  readonly session: ChdbSession
  readonly name: string
}

interface EmbeddedParts {
  readonly admin: ChdbSession
  readonly pool: SessionPool<Connection>
  readonly limits: StatementTimeouts
  warn(message: string): void
  release(): Promise<void>
}

class EmbeddedEngine implements Engine {
  readonly storedParts = PARTS
  private readonly parts: EmbeddedParts
  private readonly running = new Map<string, Promise<unknown>>()
  private names = 0
  private closing: Promise<boolean> | undefined
  /** Ends the streams, which may be waiting for their callers. */
  private readonly closed = new AbortController()

  constructor(parts: EmbeddedParts) {
    this.parts = parts
  }

  async run(statement: Sql): Promise<void> {
    await this.bounded(statement, this.parts.limits.changeMs)
  }

  async change({ dataset, statement }: TableChange): Promise<void> {
    await this.run(statement(tableOf(dataset)))
  }

  async load(insert: FileStatement): Promise<void> {
    await this.run(insert.write(localSource(insert)))
  }

  async inspect(query: FileStatement): Promise<EngineResult> {
    return await this.ask(query.write(localSource(query)))
  }

  async ask(query: Sql): Promise<EngineResult> {
    const statement = sql`${query} FORMAT JSONColumnsWithMetadata`
    return splitResult(await this.bounded(statement, this.parts.limits.readMs))
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    limits.signal?.throwIfAborted()
    const name = `evq-${++this.names}`
    const settings = settingsClause({ ...readSettings(limits), log_comment: name })
    const statement = `${query.text} FORMAT JSONColumnsWithMetadata SETTINGS ${settings.text}`
    const deadline = deadlineOf(limits)
    const result = this.parts.pool.use(async ({ session }) => {
      // The query may have been aborted while it waited for the session.
      deadline.signal.throwIfAborted()
      return await this.send(session, statement, name)
    })
    try {
      const bytes = await orAborted(result, deadline.signal, () => {
        void this.kill(name)
        throw deadline.signal.reason
      })
      return splitResult(bytes)
    } finally {
      deadline.clear()
    }
  }

  stream(query: Sql, options: StreamOptions): AsyncGenerator<Buffer, void> {
    return this.output(sql`${query} FORMAT ${raw(options.format)}`, options)
  }

  async *scan(query: Sql, limits: ReadLimits): AsyncGenerator<EngineResult, void> {
    // Each piece of this format is a complete document.
    const statement = sql`${query} FORMAT JSONColumnsWithMetadata`
    for await (const block of this.output(statement, limits)) yield splitResult(block)
  }

  /** Yields the output of a user's query while it is computed. */
  private async *output(query: Sql, limits: ReadLimits): AsyncGenerator<Buffer, void> {
    limits.signal?.throwIfAborted()
    const name = `evq-${++this.names}`
    const settings = settingsClause({ ...streamSettings(limits), log_comment: name })
    const deadline = deadlineOf(limits, this.closed.signal)
    const lent = this.parts.pool.lend()
    try {
      const { session, release } = await orAborted(lent, deadline.signal, () => {
        void lent.then((late) => late.release()).catch(() => {})
        throw deadline.signal.reason
      })
      yield* sessionStream(
        { session: session.session, release },
        {
          text: `${query.text} SETTINGS ${settings.text}`,
          signal: deadline.signal,
          running: (chunk) => this.track(name, chunk),
          kill: () => void this.kill(name),
        },
      )
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : engineError(error)
    } finally {
      deadline.clear()
    }
  }

  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    return partsIn(await this.read(estimateQuery(query), limits))
  }

  /** True while statements are running. */
  get isBusy(): boolean {
    return this.running.size > 0
  }

  close(): Promise<boolean> {
    this.closing ??= this.end()
    return this.closing
  }

  /**
   * Runs an internal statement and kills it at its timeout. Rejects only when the statement has ended or can't be killed:
   * the caller must not look for its rows while it may still be storing them.
   */
  private bounded(statement: Sql, limitMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let name: string | undefined
      let killed: Promise<boolean> | undefined
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        killed = name === undefined ? Promise.resolve(false) : this.kill(name)
        void killed.then((isEnded) => isEnded || reject(statementTimeout(limitMs)))
      }, limitMs).unref()
      this.parts.pool
        .use(async (connection) => {
          if (isLate) throw statementTimeout(limitMs)
          name = connection.name
          // Wait for a pending kill, which must not hit the next statement of the connection.
          return await this.send(connection.session, statement.text, name).finally(() => killed)
        })
        .finally(() => clearTimeout(timer))
        .then(resolve, (error: unknown) => reject(isLate ? statementTimeout(limitMs) : error))
    })
  }

  /** Counts a statement as running until it settles. */
  private track(name: string, statement: Promise<unknown>): void {
    this.running.set(name, statement)
    const settled = (): void => {
      if (this.running.get(name) === statement) this.running.delete(name)
    }
    statement.then(settled, settled)
  }

  private async send(session: ChdbSession, statement: string, name: string): Promise<Buffer> {
    const result = session.queryAsync(statement)
    this.running.set(name, result)
    try {
      const { buffer, byteOffset, byteLength } = (await result).bytes()
      return Buffer.from(buffer, byteOffset, byteLength)
    } catch (error) {
      // The output of a failed statement would be prepended to the session's next result.
      // Its own comment protects this query from a kill of the failed statement that is still on its way.
      await session.queryAsync("SELECT 1 SETTINGS log_comment = ''").catch(() => {})
      throw engineError(error)
    } finally {
      this.running.delete(name)
    }
  }

  /** Kills a statement by its comment; resolves with false when it can't be killed. */
  private async kill(name: string): Promise<boolean> {
    const isEnded = await killUntilEnded({
      isRunning: () => this.running.has(name),
      kill: () => this.killWhere(sql`Settings['log_comment'] = ${text(name)}`),
      wait: (ms) => this.orEnded([this.running.get(name)], ms),
    })
    if (!isEnded) this.parts.warn(UNKILLABLE)
    return isEnded
  }

  /** Resolves when the statements have ended, or after `ms` milliseconds. */
  private async orEnded(statements: Iterable<unknown>, ms: number): Promise<void> {
    await Promise.race([Promise.allSettled(statements), sleep(ms)])
  }

  private async killWhere(condition: Sql): Promise<void> {
    // ASYNC: waiting inside the engine can deadlock it.
    await this.parts.admin.queryAsync(`KILL QUERY WHERE ${condition.text} ASYNC`).catch(() => {})
  }

  private async end(): Promise<boolean> {
    const error = new EngineError({ code: 236, message: 'the engine is closed' })
    this.parts.pool.close(error)
    this.closed.abort(error)
    const drained = this.drain().then(() => this.parts.release())
    // A statement that can't be ended must not block the caller, which exits the process.
    const isReleased = drained.then(
      () => true,
      () => false,
    )
    return await Promise.race([isReleased, sleep(CLOSE_TIMEOUT_MS).then(() => false)])
  }

  private async drain(): Promise<void> {
    await killUntilEnded({
      isRunning: () => this.running.size > 0,
      // Statements that change something are short and may finish; only reads are killed.
      kill: () => this.killWhere(sql`startsWith(Settings['log_comment'], 'evq-')`),
      wait: (ms) => this.orEnded(this.running.values(), ms),
    })
    while (this.running.size > 0) await this.orEnded(this.running.values(), CLOSE_TIMEOUT_MS)
  }
}

function settingsClause(settings: Settings): Sql {
  return list(
    Object.entries(settings).map(([key, value]) => {
      const written = typeof value === 'string' ? text(value).text : String(value)
      return raw(`${key} = ${written}`)
    }),
  )
}

function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return new EngineError({ code: Number(code ?? 0), message })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
