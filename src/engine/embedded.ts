import { list, raw, type Sql, sql, text } from '../sql/sql.js'
import { splitAnswer } from './answer.js'
import { type ChdbSession, loadChdb } from './chdb.js'
import { DATASETS, PARTS, tableOf } from './database.js'
import {
  type Engine,
  EngineError,
  type EngineResult,
  GRACE_MS,
  type ReadLimits,
  type TableChange,
  timeout,
} from './engine.js'
import { estimateOf, partsIn } from './estimate.js'
import { type FileStatement, ownFiles } from './file-statement.js'
import { lastResort } from './last-resort.js'
import { Pool } from './pool.js'
import { readSettings, STATEMENT_SETTINGS } from './settings.js'
import { KEPT_FREE_BYTES } from './space.js'

const SESSIONS = 8
const CLOSE_WITHIN_MS = 3_000
const KILL_AGAIN_MS = 25

const SESSION_ARGUMENTS = [
  ...Object.entries(STATEMENT_SETTINGS).map(([name, value]) => `--${name}=${value}`),
  `--storage_configuration.disks.default.keep_free_space_bytes=${KEPT_FREE_BYTES}`,
]

/** Opens ClickHouse inside this process on a directory that nobody else has open. */
export async function openEmbedded(options: { directory: string }): Promise<Engine> {
  const chdb = await loadChdb()
  const sessions: ChdbSession[] = []
  let opening = 0
  let embedded: Embedded | undefined
  const takeBack = await lastResort(() => opening > 0 || embedded?.isBusy === true)
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
  embedded = new Embedded({
    admin,
    pool: new Pool(SESSIONS, () => open(`USE ${DATASETS}`)),
    async release() {
      await release(sessions, chdb.drainPending)
      takeBack()
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

interface Parts {
  readonly admin: ChdbSession
  readonly pool: Pool<ChdbSession>
  release(): Promise<void>
}

class Embedded implements Engine {
  readonly storedParts = PARTS
  private readonly parts: Parts
  private readonly running = new Map<string, Promise<unknown>>()
  private names = 0
  private closing: Promise<boolean> | undefined

  constructor(parts: Parts) {
    this.parts = parts
  }

  async run(statement: Sql): Promise<void> {
    await this.parts.pool.use((session) => this.send(session, statement.text, undefined))
  }

  async change({ dataset, statement }: TableChange): Promise<void> {
    await this.run(statement(tableOf(dataset)))
  }

  async load(insert: FileStatement): Promise<void> {
    await this.run(insert.write(ownFiles(insert)))
  }

  async inspect(query: FileStatement): Promise<EngineResult> {
    return await this.ask(query.write(ownFiles(query)))
  }

  async ask(query: Sql): Promise<EngineResult> {
    const statement = `${query.text} FORMAT JSONColumnsWithMetadata`
    return splitAnswer(
      await this.parts.pool.use((session) => this.send(session, statement, undefined)),
    )
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    const { signal } = limits
    signal?.throwIfAborted()
    const name = `evq-${++this.names}`
    const statement = `${query.text} FORMAT JSONColumnsWithMetadata SETTINGS ${settingsClause(name, limits).text}`
    const late = new AbortController()
    const deadline = setTimeout(() => late.abort(timeout(limits)), limits.timeoutMs + GRACE_MS)
    const ends = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    const answer = this.parts.pool.use(async (session) => {
      // It may have waited for the session longer than anybody waits for it.
      ends.throwIfAborted()
      return await this.send(session, statement, name)
    })
    try {
      return splitAnswer(await this.orAborted(answer, name, ends))
    } finally {
      clearTimeout(deadline)
    }
  }

  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    return partsIn(await this.read(estimateOf(query), limits))
  }

  /** Something runs that was not ended yet. */
  get isBusy(): boolean {
    return this.running.size > 0
  }

  close(): Promise<boolean> {
    this.closing ??= this.end()
    return this.closing
  }

  private async send(
    session: ChdbSession,
    statement: string,
    name: string | undefined,
  ): Promise<Buffer> {
    const key = name ?? `evq-${++this.names}`
    const answer = session.queryAsync(statement)
    this.running.set(key, answer)
    try {
      const { buffer, byteOffset, byteLength } = (await answer).bytes()
      return Buffer.from(buffer, byteOffset, byteLength)
    } catch (error) {
      // What a failed statement had already written would stand at the head of the session's next answer.
      await session.queryAsync('SELECT 1').catch(() => {})
      throw engineError(error)
    } finally {
      this.running.delete(key)
    }
  }

  private orAborted(answer: Promise<Buffer>, name: string, signal: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(signal.reason)
        void this.kill(name)
      }
      signal.addEventListener('abort', abort, { once: true })
      answer
        .finally(() => signal.removeEventListener('abort', abort))
        .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
    })
  }

  /** Kills a query by its comment, again and again until it is gone: at first it may not be listed yet. */
  private async kill(name: string): Promise<void> {
    while (this.running.has(name)) {
      await this.killWhere(sql`Settings['log_comment'] = ${text(name)}`)
      await sleep(KILL_AGAIN_MS)
    }
  }

  private async killWhere(condition: Sql): Promise<void> {
    // ASYNC: waiting for the end inside the engine can lock it up.
    await this.parts.admin.queryAsync(`KILL QUERY WHERE ${condition.text} ASYNC`).catch(() => {})
  }

  private async end(): Promise<boolean> {
    this.parts.pool.close(new EngineError({ code: 236, message: 'the engine is closed' }))
    const drained = this.drain().then(() => this.parts.release())
    // What can't be ended must not keep the caller: it holds the lock and has the process to end.
    const isReleased = drained.then(
      () => true,
      () => false,
    )
    return await Promise.race([isReleased, sleep(CLOSE_WITHIN_MS).then(() => false)])
  }

  private async drain(): Promise<void> {
    while (this.running.size > 0) {
      // Statements that change something are short and finish; only reads are killed.
      await this.killWhere(sql`startsWith(Settings['log_comment'], 'evq-')`)
      await Promise.race([Promise.allSettled(this.running.values()), sleep(KILL_AGAIN_MS)])
    }
  }
}

function settingsClause(name: string, limits: ReadLimits): Sql {
  const settings = Object.entries({ ...readSettings(limits), log_comment: name })
  return list(
    settings.map(([key, value]) => {
      const written = typeof value === 'string' ? text(value).text : String(value)
      return raw(`${key} = ${written}`)
    }),
  )
}

function engineError(error: unknown): EngineError {
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)/.exec(message)?.[1]
  return new EngineError({ code: Number(code ?? 0), message })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
