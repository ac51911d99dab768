import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { orAborted } from '../../text/abort.js'
import { EngineError } from '../engine.js'
import type { ChdbSession } from './chdb.js'

/** Connections to the embedded engine, each of which runs one statement at a time. */
export const SESSIONS = 8
/** The time after which closing the engine does not wait for a statement any longer. */
export const CLOSE_TIMEOUT_MS = 3_000

/** Short, since the statement may not be listed yet at the first attempt to kill it. */
const FIRST_DELAY_MS = 25
const LONGEST_DELAY_MS = 5_000
/** With the delays between them, the attempts take about a minute. */
const KILL_ATTEMPTS = 20
const POLL_MS = 50
const UNKILLABLE = `A statement still runs after ${KILL_ATTEMPTS} attempts to kill it. It occupies one of ${SESSIONS} connections to the engine until it ends or the service is restarted.`

/** The statements that run in the embedded engine, each with the `log_comment` that identifies it. */
export class RunningStatements {
  private readonly admin: ChdbSession
  private readonly warn: (message: string) => void
  private readonly running = new Map<string, Promise<unknown>>()

  /** `admin` is the session that kills statements of other sessions. */
  constructor(admin: ChdbSession, warn: (message: string) => void) {
    this.admin = admin
    this.warn = warn
  }

  get isBusy(): boolean {
    return this.running.size > 0
  }

  /** Counts a statement as running until it settles. */
  private track(name: string, statement: Promise<unknown>): void {
    this.running.set(name, statement)
    const settled = (): void => {
      if (this.running.get(name) === statement) this.running.delete(name)
    }
    statement.then(settled, settled)
  }

  /**
   * Yields the output of a statement in chunks; computes the next chunk while the caller uses the previous one. Releases the session
   * when it can be used again.
   */
  async *stream(
    { session, release }: { readonly session: ChdbSession; release(): void },
    statement: string,
    { name, signal }: { readonly name: string; readonly signal: AbortSignal },
  ): AsyncGenerator<Buffer, void> {
    const chunks = startedStream(session, statement, release)
    const next = (): ReturnType<typeof chunks.next> => {
      const chunk = chunks.next()
      // The chunk may fail before the caller asks for it: a rejection without a handler would end the process.
      chunk.catch(() => {})
      this.track(name, chunk)
      return chunk
    }
    let ahead = next()
    try {
      while (true) {
        const { done, value } = await orAborted(ahead, signal, () => {
          throw signal.reason
        })
        if (done) return
        ahead = next()
        const { buffer, byteOffset, byteLength } = value.raw()
        yield Buffer.from(buffer, byteOffset, byteLength)
      }
    } finally {
      void this.kill(name)
      void Promise.allSettled([ahead])
        .then(() => chunks.return?.())
        .then(() => dropOutput(session))
        .catch(() => {})
        .finally(release)
    }
  }

  async send(session: ChdbSession, statement: string, name: string): Promise<Buffer> {
    const output = outputOf(session, statement)
    this.track(name, output)
    return await output
  }

  /** Kills a statement by its comment; resolves with false when it can't be killed. */
  async kill(name: string): Promise<boolean> {
    const isNamed = sql`Settings['log_comment'] = ${text(name)}`
    const isEnded = await this.killUntilEnded(isNamed, () => this.running.get(name))
    if (!isEnded) this.warn(UNKILLABLE)
    return isEnded
  }

  /** Kills the reads, and resolves when all statements have ended. */
  async drain(): Promise<void> {
    const all = () =>
      this.running.size === 0 ? undefined : Promise.allSettled(this.running.values())
    // Statements that change something are short and may finish; only reads are killed.
    await this.killUntilEnded(sql`startsWith(Settings['log_comment'], 'evq-')`, all)
    while (this.running.size > 0) await sleep(POLL_MS, undefined, { ref: false })
  }

  /**
   * Kills statements repeatedly, at increasing intervals, until `running` returns undefined; resolves with false when the last attempt
   * has no effect.
   */
  private async killUntilEnded(
    condition: Sql,
    running: () => Promise<unknown> | undefined,
  ): Promise<boolean> {
    let delayMs = FIRST_DELAY_MS
    for (let attempt = 0; attempt < KILL_ATTEMPTS && running() !== undefined; attempt++) {
      // ASYNC: waiting inside the engine can deadlock it.
      await this.admin.queryAsync(`KILL QUERY WHERE ${condition.text} ASYNC`).catch(() => {})
      const late = sleep(delayMs, undefined, { ref: false })
      await Promise.race([running()?.catch(() => {}), late])
      delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)
    }
    return running() === undefined
  }
}

/** Resolves with the output of a statement, when its session can be used again. */
async function outputOf(session: ChdbSession, statement: string): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = (await session.queryAsync(statement)).bytes()
    return Buffer.from(buffer, byteOffset, byteLength)
  } catch (error) {
    await dropOutput(session)
    throw engineError(error)
  }
}

function startedStream(session: ChdbSession, statement: string, release: () => void) {
  try {
    return session.queryStream(statement)[Symbol.asyncIterator]()
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Drops the output of a failed statement, which would be prepended to the session's next result. Its own comment protects this query
 * from a kill of the failed statement that is still on its way.
 */
async function dropOutput(session: ChdbSession): Promise<void> {
  await session.queryAsync("SELECT 1 SETTINGS log_comment = ''").catch(() => {})
}

export function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return new EngineError(Number(code ?? 0), message)
}
