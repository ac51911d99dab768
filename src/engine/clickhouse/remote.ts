import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { raw, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS, PARTS, tableOf } from '../catalog/database.js'
import {
  type Engine,
  type EngineResult,
  GRACE_MS,
  isUnreachable,
  type ReadLimits,
  type TableChange,
} from '../engine.js'
import { type FileStatement, sentSource } from './file-statement.js'
import { insertBody, queryForm } from './remote-body.js'
import { RemoteServer, type ServerAddress } from './remote-server.js'
import { estimateQuery, partsIn, splitResult } from './response.js'
import { readSettings, type Settings } from './settings.js'

const FORMAT = 'FORMAT JSONColumnsWithMetadata'
/** The table of lines that comes beside a query. */
const LINES_TABLE = '_lines'
/** The longest that storing a batch may take: after that it certainly is not being stored any more. */
export const LOAD_SECONDS = 120
/** Every query of a user waits for some of what the store asks for itself. */
const ASK_TIMEOUT_MS = 30_000
/** What rewrites the parts of a dataset takes as long as they are many. */
const REWRITE_TIMEOUT_MS = 600_000

/** Opens a ClickHouse server that is reached over HTTP. */
export async function openRemote(address: ServerAddress): Promise<Engine> {
  const server = await RemoteServer.open(address)
  try {
    await server.send({
      statement: `CREATE DATABASE IF NOT EXISTS ${DATASETS} ENGINE = Atomic`,
      // The one that statements stand in need not be there yet.
      settings: { database: 'system' },
    })
    const { name = randomUUID() } = address
    const remote = new RemoteEngine(server, { name })
    await remote.end(name)
    return remote
  } catch (error) {
    await server.close()
    throw error
  }
}

/** ClickHouse in another process; other services may use it at the same time. */
export class RemoteEngine implements Engine {
  readonly isShared = true
  readonly storedParts = PARTS
  private readonly server: RemoteServer
  private readonly settings: Settings
  private readonly name: string

  /** The settings go with each statement, the name with each insert. */
  constructor(
    server: RemoteServer,
    { settings = {}, name = '' }: { readonly settings?: Settings; readonly name?: string } = {},
  ) {
    this.server = server
    this.settings = settings
    this.name = name
  }

  async run(statement: Sql): Promise<void> {
    await this.server.send({ statement: statement.text, settings: this.settings })
  }

  async change({ kind, dataset, statement }: TableChange): Promise<void> {
    await this.alter(kind, statement(tableOf(dataset)))
  }

  /** Runs a statement that changes a table. */
  async alter(kind: TableChange['kind'], statement: Sql): Promise<void> {
    await this.server.send({
      statement: statement.text,
      settings: this.settings,
      ...((kind === 'drop' || kind === 'events') && { timeoutMs: REWRITE_TIMEOUT_MS }),
    })
  }

  async ask(query: Sql): Promise<EngineResult> {
    const statement = `${query.text} ${FORMAT}`
    const { settings } = this
    return splitResult(await this.server.send({ statement, settings, timeoutMs: ASK_TIMEOUT_MS }))
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    return await this.readWith(query, limits, {})
  }

  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    return await this.estimateIn(DATASETS, { query, limits })
  }

  /** The same for the tables of another database. */
  async estimateIn(
    database: string,
    { query, limits }: { readonly query: Sql; readonly limits: ReadLimits },
  ): Promise<number> {
    return partsIn(await this.readWith(estimateQuery(query), limits, { database }))
  }

  async readWith(query: Sql, limits: ReadLimits, settings: Settings): Promise<EngineResult> {
    const { signal } = limits
    const response = await this.server.send({
      statement: `${query.text} ${FORMAT}`,
      settings: {
        ...this.settings,
        ...readSettings(limits),
        ...settings,
        cancel_http_readonly_queries_on_client_close: 1,
      },
      timeoutMs: limits.timeoutMs + GRACE_MS,
      ...(signal && { signal }),
    })
    return splitResult(response)
  }

  async load(insert: FileStatement): Promise<void> {
    await this.loadWith(insert, {}, (id) => this.end(id))
  }

  /**
   * Stores what an insert reads out of files. Of one that was cut off nobody knows whether it still runs:
   * `end` makes sure that it does not, so that whoever looks for its rows then finds them or never will.
   */
  async loadWith(
    insert: FileStatement,
    settings: Settings,
    end: (id: string) => Promise<void>,
  ): Promise<void> {
    const id = `${this.name}-${randomUUID()}`
    await this.insert(insert, { settings, id }).catch(async (error: unknown) => {
      if (isUnreachable(error)) await end(id).catch(() => {})
      throw error
    })
  }

  /** Ends the statements whose names begin like that, and waits until they are over. */
  async end(name: string): Promise<void> {
    const started = sql`startsWith(initial_query_id, ${text(name)})`
    await this.server.send({
      statement: sql`KILL QUERY WHERE ${started} SYNC`.text,
      settings: { database: 'system' },
      timeoutMs: ASK_TIMEOUT_MS,
    })
  }

  private async insert(
    insert: FileStatement,
    { settings, id }: { readonly settings: Settings; readonly id: string },
  ): Promise<void> {
    const lines = sql`input('text String')`
    const source = sentSource(insert, { lines, overrides: await overridesOf(insert) })
    const [first, rest] = firstWordAndRest(insert.write(source).text)
    const body = insertBody(`${rest} FORMAT LineAsString`, insert.files)
    await this.server.send({
      statement: first,
      // The server reads this much before it begins to tell the statement from the lines.
      settings: {
        ...this.settings,
        max_query_size: Buffer.byteLength(rest) + 1024,
        max_execution_time: LOAD_SECONDS,
        // Made one with the filter above it, what leaves out blank lines would no longer come before the guard.
        query_plan_merge_filters: 0,
        ...settings,
      },
      timeoutMs: LOAD_SECONDS * 1000 + GRACE_MS,
      id,
      body,
    })
  }

  async inspect(query: FileStatement): Promise<EngineResult> {
    const lines = raw(LINES_TABLE)
    const source = sentSource(query, { lines, overrides: await overridesOf(query) })
    const [first, rest] = firstWordAndRest(query.write(source).text)
    const { body, contentType } = queryForm(`${rest} ${FORMAT}`, {
      table: LINES_TABLE,
      files: query.files,
    })
    const response = await this.server.send({
      statement: first,
      settings: {
        ...this.settings,
        [`${LINES_TABLE}_format`]: 'LineAsString',
        [`${LINES_TABLE}_structure`]: 'text String',
      },
      headers: { 'content-type': contentType },
      timeoutMs: LOAD_SECONDS * 1000,
      body,
    })
    return splitResult(response)
  }

  async close(): Promise<boolean> {
    await this.server.close()
    return true
  }
}

/** The first word of a statement, which goes into the address, and what follows, which is too long for one. */
function firstWordAndRest(statement: string): readonly [string, string] {
  const [, first = '', rest = ''] = /^\s*(\S+)(\s.*)$/s.exec(statement) ?? []
  return [first, rest]
}

async function overridesOf({ overrides }: FileStatement): Promise<string | undefined> {
  return overrides === undefined ? undefined : await readFile(overrides, 'utf8')
}
