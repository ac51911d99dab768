import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { type Sql, sql, text } from '../../sql/sql.js'
import { partsOnServer, tableOf } from '../catalog/database.js'
import {
  changeStatement,
  type Engine,
  type EngineResult,
  GRACE_MS,
  isUnreachable,
  type ReadLimits,
  type TableChange,
  type TableRename,
} from '../engine.js'
import { type FileStatement, type RowFile, sentSource } from '../file-statement.js'
import { splitResult } from '../response.js'
import { createServiceTable, type ServiceTable } from '../table-engine.js'
import type { RemoteServer } from './remote-server.js'
import { readSettings, type Settings } from './settings.js'

const FORMAT = 'FORMAT JSONColumnsWithMetadata'
/** The timeout for storing a batch: after it the batch is certainly no longer being stored. */
export const LOAD_SECONDS = 120
/** Short, since users' queries wait for internal ones. */
const ASK_TIMEOUT_MS = 30_000
/** The timeout for rewriting all parts of a dataset. */
export const REWRITE_TIMEOUT_MS = 600_000

/** A ClickHouse server, which other services may use at the same time. */
export class RemoteEngine implements Engine {
  readonly isShared = true
  readonly storedParts = partsOnServer('parts')
  readonly detachedParts: Sql | undefined = partsOnServer('detached_parts')
  private readonly server: RemoteServer
  private readonly settings: Settings
  private readonly name: string

  /** The settings are sent with each statement; the name is the prefix of insert ids. */
  constructor(
    server: RemoteServer,
    { settings = {}, name = '' }: { readonly settings?: Settings; readonly name?: string } = {},
  ) {
    this.server = server
    this.settings = settings
    this.name = name
  }

  with(settings: Settings): RemoteEngine {
    const { server, name } = this
    return new RemoteEngine(server, { name, settings: { ...this.settings, ...settings } })
  }

  async createTable(table: ServiceTable): Promise<void> {
    await this.run(createServiceTable(table))
  }

  async run(statement: Sql, timeoutMs?: number): Promise<void> {
    const { settings } = this
    await this.server.send({ statement: statement.text, settings, timeoutMs })
  }

  async change(change: TableChange | TableRename): Promise<void> {
    const isLong = change.kind === 'drop' || change.kind === 'events'
    await this.run(changeStatement(change, tableOf), isLong ? REWRITE_TIMEOUT_MS : undefined)
  }

  async ask(query: Sql): Promise<EngineResult> {
    const { settings } = this
    const statement = `${query.text} ${FORMAT}`
    return splitResult(await this.server.send({ statement, settings, timeoutMs: ASK_TIMEOUT_MS }))
  }

  /** The query ends when the client disconnects. */
  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    const response = await this.server.send({
      statement: `${query.text} ${FORMAT}`,
      settings: {
        ...this.settings,
        ...readSettings(limits),
        cancel_http_readonly_queries_on_client_close: 1,
      },
      timeoutMs: limits.timeoutMs + GRACE_MS,
      signal: limits.signal,
    })
    return splitResult(response)
  }

  /**
   * It is unknown whether a disconnected insert is still running: it is ended, so that its rows are either found afterward or were
   * never stored.
   */
  async load(insert: FileStatement): Promise<void> {
    const id = `${this.name}-${randomUUID()}`
    const [first, rest] = firstWordAndRest(insert.write(sentSource(insert)).text)
    const body = statementAndRows(`${rest} FORMAT Native\n`, insert.files)
    try {
      await this.server.send({
        statement: first,
        // The server reads this much before it separates the statement from the rows.
        settings: {
          ...this.settings,
          max_query_size: Buffer.byteLength(rest) + 1024,
          max_execution_time: LOAD_SECONDS,
        },
        timeoutMs: LOAD_SECONDS * 1000 + GRACE_MS,
        id,
        body: Readable.from(body, { objectMode: false }),
      })
    } catch (error) {
      if (isUnreachable(error)) await this.end(id).catch(() => {})
      throw error
    }
  }

  /** Ends the statements whose ids start with `name` and waits for them. */
  async end(name: string): Promise<void> {
    const started = sql`startsWith(initial_query_id, ${text(name)})`
    await this.server.send({
      statement: sql`KILL QUERY WHERE ${started} SYNC`.text,
      settings: { database: 'system' },
      timeoutMs: ASK_TIMEOUT_MS,
    })
  }

  async close(): Promise<boolean> {
    await this.server.close()
    return true
  }
}

async function* statementAndRows(
  statement: string,
  files: readonly RowFile[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(statement)
  for (const { path } of files) yield* createReadStream(path, { highWaterMark: 1024 * 1024 })
}

/** Splits a statement into its first word, which is sent in the URL, and the rest, which is too long for a URL. */
function firstWordAndRest(statement: string): readonly [string, string] {
  const [, first = '', rest = ''] = /^\s*(\S+)(\s.*)$/s.exec(statement) ?? []
  return [first, rest]
}
