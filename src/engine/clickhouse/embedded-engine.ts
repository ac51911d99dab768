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
import { type FileStatement, localSource } from '../file-statement.js'
import { estimateQuery, partsIn, splitResult } from '../response.js'
import { createServiceTable, type ServiceTable } from '../table-engine.js'
import type { ChdbSession } from './chdb.js'
import { deadlineOf } from './deadline.js'
import { CLOSE_TIMEOUT_MS, engineError, type RunningStatements } from './running-statements.js'
import type { SessionPool } from './session-pool.js'
import { readSettings, type Settings, spillingJoins } from './settings.js'

/** Timeouts of internal statements, including the wait for a connection. */
export interface StatementTimeouts {
  /** For statements that only read. */
  readonly readMs: number
  /** For statements that change something: they may rewrite the parts of a dataset. */
  readonly changeMs: number
}

/** A session and the `log_comment` that identifies its running statement. */
export interface Connection {
  readonly session: ChdbSession
  readonly name: string
}

interface EmbeddedParts {
  readonly statements: RunningStatements
  readonly pool: SessionPool<Connection>
  readonly limits: StatementTimeouts
  readonly isTemporary: true | undefined
  release(): Promise<void>
}

/** ClickHouse inside this process. */
export class EmbeddedEngine implements Engine {
  readonly storedParts = partsOnServer('parts')
  readonly isTemporary: true | undefined
  private readonly parts: EmbeddedParts
  private names = 0
  private closing: Promise<boolean> | undefined
  /** Ends the streams, which may be waiting for their callers. */
  private readonly closed = new AbortController()

  constructor(parts: EmbeddedParts) {
    this.parts = parts
    this.isTemporary = parts.isTemporary
  }

  async createTable(table: ServiceTable): Promise<void> {
    await this.run(createServiceTable(table))
  }

  async run(statement: Sql): Promise<void> {
    await this.bounded(statement, this.parts.limits.changeMs)
  }

  async change(change: TableChange | TableRename): Promise<void> {
    await this.run(changeStatement(change, tableOf))
  }

  async load(insert: FileStatement): Promise<void> {
    await this.run(insert.write(localSource(insert)))
  }

  async ask(query: Sql): Promise<EngineResult> {
    const statement = sql`${query} FORMAT JSONColumnsWithMetadata`
    return splitResult(await this.bounded(statement, this.parts.limits.readMs))
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    limits.signal?.throwIfAborted()
    const { name, clause } = this.named(limits)
    const statement = `${query.text} FORMAT JSONColumnsWithMetadata ${clause}`
    const deadline = deadlineOf(limits)
    const result = this.parts.pool.use(async ({ session }) => {
      // The query may have been aborted while it waited for the session.
      deadline.signal.throwIfAborted()
      return await this.parts.statements.send(session, statement, name)
    })
    try {
      const bytes = await orAborted(result, deadline.signal, () => {
        void this.parts.statements.kill(name)
        throw deadline.signal.reason
      })
      return splitResult(bytes)
    } finally {
      deadline.clear()
    }
  }

  async *scan(query: Sql, limits: ReadLimits): AsyncGenerator<EngineResult, void> {
    // Each piece of this format is a complete document.
    const statement = sql`${query} FORMAT JSONColumnsWithMetadata`
    for await (const block of this.output(statement, limits)) yield splitResult(block)
  }

  scanNative(query: Sql, limits: ReadLimits): AsyncGenerator<Buffer, void> {
    return this.output(sql`${query} FORMAT Native`, limits)
  }

  /** Yields the output of a user's query while it is computed. */
  private async *output(query: Sql, limits: ReadLimits): AsyncGenerator<Buffer, void> {
    limits.signal?.throwIfAborted()
    // The output may be larger than memory.
    const { name, clause } = this.named(limits, { max_result_bytes: 0 })
    const deadline = deadlineOf(limits, this.closed.signal)
    const acquired = this.parts.pool.acquire()
    try {
      const { session, release } = await orAborted(acquired, deadline.signal, () => {
        void acquired.then((late) => late.release()).catch(() => {})
        throw deadline.signal.reason
      })
      yield* this.parts.statements.stream(
        { session: session.session, release },
        `${query.text} ${clause}`,
        { name, signal: deadline.signal },
      )
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : engineError(error)
    } finally {
      deadline.clear()
    }
  }

  /** Returns the name of a user's query, and its settings. */
  private named(limits: ReadLimits, more: Settings = {}) {
    const name = `evq-${++this.names}`
    const settings = { ...readSettings(limits), ...more, ...spillingJoins(limits) }
    const all = Object.entries({ ...settings, log_comment: name }).map(
      ([key, value]) => `${key} = ${typeof value === 'string' ? text(value).text : value}`,
    )
    return { name, clause: `SETTINGS ${all.join(', ')}` }
  }

  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    return partsIn(await this.read(estimateQuery(query), limits))
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
      const countdown = new Countdown(limitMs, () => {
        isLate = true
        killed = name === undefined ? Promise.resolve(false) : this.parts.statements.kill(name)
        void killed.then((isEnded) => isEnded || reject(statementTimeout(limitMs)))
      })
      this.parts.pool
        .use(async (connection) => {
          if (isLate) throw statementTimeout(limitMs)
          name = connection.name
          // Wait for a pending kill, which must not hit the next statement of the connection.
          return await this.parts.statements
            .send(connection.session, statement.text, name)
            .finally(() => killed)
        })
        .finally(() => countdown.stop())
        .then(resolve, (error: unknown) => reject(isLate ? statementTimeout(limitMs) : error))
    })
  }

  private async end(): Promise<boolean> {
    const error = new EngineError('ABORTED', 'the engine is closed')
    this.parts.pool.close(error)
    this.closed.abort(error)
    const drained = this.parts.statements.drain().then(() => this.parts.release())
    // A statement that can't be ended must not block the caller, which exits the process.
    const isReleased = drained.then(
      () => true,
      () => false,
    )
    return await Promise.race([isReleased, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])
  }
}
