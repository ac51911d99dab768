import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { orAborted } from '../../text/abort.js'
import { Countdown } from '../../text/countdown.js'
import { partsOnServer, tableOf } from '../catalog/database.js'
import {
  changeStatement,
  type Engine,
  EngineError,
  type EngineResult,
  type ReadLimits,
  statementTimeout,
  type TableChange,
  type TableRename,
} from '../engine.js'
import { localSource } from '../file-statement.js'
import { splitResult } from '../response.js'
import { checkWritable } from '../spool.js'
import { createServiceTable } from '../table-engine.js'
import type { ChdbSession } from './chdb.js'
import { deadlineOf } from './deadline.js'
import { CLOSE_TIMEOUT_MS, engineError, type RunningStatements } from './running-statements.js'
import type { SessionPool } from './session-pool.js'
import {
  compiledRegularExpressions,
  readSettings,
  type Settings,
  spillingJoins,
} from './settings.js'

/** Timeouts of internal statements, including the wait for a connection. */
export interface StatementTimeouts {
  /** For statements that only read. */
  readonly readMs: number
  /** For statements that change something: they may rewrite the parts of a dataset. */
  readonly changeMs: number
}

/** A session and the `log_comment` that identifies its running statement. */
interface Connection {
  readonly session: ChdbSession
  readonly name: string
}

interface EmbeddedParts {
  readonly directory: string
  readonly statements: RunningStatements
  readonly pool: SessionPool<Connection>
  readonly timeouts: StatementTimeouts
  readonly isTemporary: true | undefined
  /** Called after each statement that stores events. */
  loaded(): void
  release(): Promise<void>
}

/** The kinds of changes that write the definition of a table. */
const DEFINING: readonly (TableChange | TableRename)['kind'][] = ['create', 'alter', 'note']

/** Returns ClickHouse inside this process as an engine. */
export function embeddedEngine(parts: EmbeddedParts): Engine {
  const { directory, timeouts, isTemporary, loaded } = parts
  let closing: Promise<boolean> | undefined
  /** Ends the streams, which may be waiting for their callers. */
  const closed = new AbortController()
  // Each stream has a listener: Node would warn about more than ten.
  setMaxListeners(0, closed.signal)

  async function run(statement: Sql): Promise<void> {
    await bounded(statement, timeouts.changeMs, parts)
  }

  return {
    storedParts: partsOnServer('parts'),
    isTemporary,
    createTable: (table) => run(createServiceTable(table)),
    run,
    async change(change) {
      if (DEFINING.includes(change.kind)) await checkWritable(directory)
      await run(changeStatement(change, tableOf))
    },
    async load(insert) {
      await run(insert.write(localSource(insert)))
      loaded()
    },
    async ask(query) {
      const statement = sql`${query} FORMAT JSONColumnsWithMetadata`
      return splitResult(await bounded(statement, timeouts.readMs, parts))
    },
    read: (query, limits) => read(query, limits, parts),
    scan: (query, limits) =>
      output(sql`${query} FORMAT Native`, limits, { ...parts, closed: closed.signal }),
    close() {
      closing ??= end(parts, closed)
      return closing
    },
  }
}

/**
 * Runs an internal statement and kills it at its timeout. Rejects only when the statement has ended or can't be killed:
 * the caller must not look for its rows while it may still be storing them.
 */
function bounded(
  statement: Sql,
  limitMs: number,
  { pool, statements }: Pick<EmbeddedParts, 'pool' | 'statements'>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let name: string | undefined
    let killed: Promise<boolean> | undefined
    let isLate = false
    const countdown = new Countdown(limitMs, () => {
      isLate = true
      killed = name === undefined ? Promise.resolve(false) : statements.kill(name)
      void killed.then((isEnded) => isEnded || reject(statementTimeout(limitMs)))
    })
    pool
      .use(async (connection) => {
        if (isLate) throw statementTimeout(limitMs)
        name = connection.name
        // Wait for a pending kill, which must not hit the next statement of the connection.
        return await statements.send(connection.session, statement.text, name).finally(() => killed)
      })
      .finally(() => countdown.stop())
      .then(resolve, (error: unknown) => reject(isLate ? statementTimeout(limitMs) : error))
  })
}

async function read(
  query: Sql,
  limits: ReadLimits,
  { pool, statements }: EmbeddedParts,
): Promise<EngineResult> {
  limits.signal?.throwIfAborted()
  const { name, clause } = named(query, limits)
  const statement = `${query.text} FORMAT JSONColumnsWithMetadata ${clause}`
  const deadline = deadlineOf(limits)
  const result = pool.use(async ({ session }) => {
    // The query may have been aborted while it waited for the session.
    deadline.signal.throwIfAborted()
    return await statements.send(session, statement, name)
  })
  try {
    const bytes = await orAborted(result, deadline.signal, () => {
      void statements.kill(name)
      throw deadline.signal.reason
    })
    return splitResult(bytes)
  } finally {
    deadline.clear()
  }
}

/** Yields the output of a user's query while it is computed. */
async function* output(
  query: Sql,
  limits: ReadLimits,
  { pool, statements, closed }: EmbeddedParts & { readonly closed: AbortSignal },
): AsyncGenerator<Buffer, void> {
  limits.signal?.throwIfAborted()
  const { name, clause } = named(query, limits, {
    // The output may be larger than memory.
    max_result_bytes: 0,
    // A buffer of each part takes 160 MB for 17 parts, and the first block 70 ms longer.
    ...(limits.readsInTurn && { read_in_order_use_buffering: 0 }),
  })
  const deadline = deadlineOf(limits, closed)
  const { signal } = deadline
  const acquired = pool.acquire()
  try {
    const { session, release } = await orAborted(acquired, signal, () => {
      void acquired.then((late) => late.release()).catch(() => {})
      throw signal.reason
    })
    const connection = { session: session.session, release }
    yield* statements.stream(connection, `${query.text} ${clause}`, { name, signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : engineError(error)
  } finally {
    deadline.clear()
  }
}

/** The number of users' queries of this process. */
let names = 0

/** Returns the name of a user's query, and its settings. */
function named(query: Sql, limits: ReadLimits, more: Settings = {}) {
  const name = `evq-${++names}`
  const own = { ...spillingJoins(limits), ...compiledRegularExpressions(query) }
  const settings = { ...readSettings(limits), ...more, ...own }
  const all = Object.entries({ ...settings, log_comment: name }).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? text(value).text : value}`,
  )
  return { name, clause: `SETTINGS ${all.join(', ')}` }
}

async function end(
  { pool, statements, release }: EmbeddedParts,
  closed: AbortController,
): Promise<boolean> {
  const error = new EngineError('ABORTED', 'the engine is closed')
  pool.close(error)
  closed.abort(error)
  const drained = statements.drain().then(release)
  // A statement that can't be ended must not block the caller, which exits the process.
  const isReleased = drained.then(
    () => true,
    () => false,
  )
  return await Promise.race([isReleased, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])
}
