import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { EngineError } from '../engine.js'
import type { ChdbSession } from './chdb.js'
import { KILL_ATTEMPTS, killUntilEnded } from './kill-attempts.js'

/** Connections to the embedded engine, each of which runs one statement at a time. */
export const SESSIONS = 8
/** The time after which closing the engine does not wait for a statement any longer. */
export const CLOSE_TIMEOUT_MS = 3_000

const UNKILLABLE = `A statement still runs after ${KILL_ATTEMPTS} attempts to kill it. It occupies one of ${SESSIONS} connections to the engine until it ends or the service is restarted.`

interface Options {
  /** The session that kills statements of other sessions. */
  readonly admin: ChdbSession
  warn(message: string): void
}

/** The statements that run in the embedded engine, each with the `log_comment` that identifies it. */
export class RunningStatements {
  private readonly options: Options
  private readonly running = new Map<string, Promise<unknown>>()

  constructor(options: Options) {
    this.options = options
  }

  /** True while statements are running. */
  get isBusy(): boolean {
    return this.running.size > 0
  }

  /** Counts a statement as running until it settles. */
  track(name: string, statement: Promise<unknown>): void {
    this.running.set(name, statement)
    const settled = (): void => {
      if (this.running.get(name) === statement) this.running.delete(name)
    }
    statement.then(settled, settled)
  }

  /** Runs a statement and returns its output. */
  async send(session: ChdbSession, statement: string, name: string): Promise<Buffer> {
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
  async kill(name: string): Promise<boolean> {
    const isEnded = await killUntilEnded({
      isRunning: () => this.running.has(name),
      kill: () => this.killWhere(sql`Settings['log_comment'] = ${text(name)}`),
      wait: (ms) => this.orEnded([this.running.get(name)], ms),
    })
    if (!isEnded) this.options.warn(UNKILLABLE)
    return isEnded
  }

  /** Resolves when the statements have ended, or after `ms` milliseconds. */
  private async orEnded(statements: Iterable<unknown>, ms: number): Promise<void> {
    await Promise.race([Promise.allSettled(statements), sleep(ms, undefined, { ref: false })])
  }

  private async killWhere(condition: Sql): Promise<void> {
    // ASYNC: waiting inside the engine can deadlock it.
    await this.options.admin.queryAsync(`KILL QUERY WHERE ${condition.text} ASYNC`).catch(() => {})
  }

  /** Kills the reads, and resolves when all statements have ended. */
  async drain(): Promise<void> {
    await killUntilEnded({
      isRunning: () => this.running.size > 0,
      // Statements that change something are short and may finish; only reads are killed.
      kill: () => this.killWhere(sql`startsWith(Settings['log_comment'], 'evq-')`),
      wait: (ms) => this.orEnded(this.running.values(), ms),
    })
    while (this.running.size > 0) await this.orEnded(this.running.values(), CLOSE_TIMEOUT_MS)
  }
}

/** Returns the error of a failed statement. */
export function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return new EngineError(Number(code ?? 0), message)
}
