import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { raw, type Sql, sql, text } from '../../sql/sql.js'
import {
  EngineError,
  hasCode,
  isUnreachable,
  type TableChange,
  type TableRename,
} from '../engine.js'
import type { FileStatement } from '../file-statement.js'
import { numberIn, stringsIn } from '../response.js'
import {
  insertToken,
  isRepeated,
  REPEAT_LIMIT_MS,
  tokenSettings,
  UNTOKENED,
} from './insert-token.js'
import { RemoteEngine } from './remote.js'
import type { RemoteServer } from './remote-server.js'
import type { Settings } from './settings.js'

// A managed ClickHouse has one address for several servers and replaces the engine `MergeTree` by one whose tables all servers
// share. Each statement may reach another server.

/** The kinds of tables that a server creates: tables of its own, tables that servers share, or replicas behind one address. */
type TableKind = 'own' | 'shared' | 'replicated'

/** A change of a definition ends when all servers that are up have it: any of them may receive the next statement. */
const ON_ALL_SERVERS: Settings = { alter_sync: 2, replication_wait_for_inactive_replica_timeout: 0 }

/** Several ClickHouse servers behind one address, with the same tables. */
export class ManagedEngine extends RemoteEngine {
  readonly repeatsInserts = true
  override readonly detachedParts = undefined
  readonly hasKeeperMap?: true
  private readonly kind: TableKind

  constructor(
    server: RemoteServer,
    options: { readonly name: string; readonly kind: TableKind; readonly hasKeeperMap: boolean },
  ) {
    const { name, kind } = options
    // Shared tables then include all rows that other servers have acknowledged.
    super(server, { name, settings: kind === 'shared' ? { select_sequential_consistency: 1 } : {} })
    this.kind = kind
    if (options.hasKeeperMap) this.hasKeeperMap = true
  }

  override async run(statement: Sql): Promise<void> {
    await retryConcurrent(async () => {
      if (!/^\s*INSERT/.test(statement.text)) return await super.run(statement)
      const servers = this.kind === 'replicated' ? await this.activeServers() : 0
      await insertOnServers(this, statement, { servers })
    })
  }

  /** Returns the number of servers that are up: any of them may receive the next statement. */
  private async activeServers(): Promise<number> {
    const result = await this.ask(
      sql`SELECT max(active_replicas) AS servers FROM system.replicas WHERE database = 'evq'`,
    )
    return numberIn(result, 'servers')
  }

  override async change(change: TableChange | TableRename): Promise<void> {
    await retryConcurrent(async () => {
      try {
        await this.with(ON_ALL_SERVERS).change(change)
      } catch (error) {
        // Servers that are down apply the change when they start. A deletion of events that was stopped has the same error.
        if (change.kind === 'events' || !hasCode(error, 'UNFINISHED')) throw error
      }
    })
  }

  override async load(insert: FileStatement): Promise<void> {
    const token = insertToken(insert.stores)
    let quorum: 'auto' | 1 = this.kind === 'replicated' ? 'auto' : 1
    const began = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        await this.with(tokenSettings(token, quorum)).load(insert)
        return
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        if (hasCode(error, 'TOO_FEW_LIVE_REPLICAS')) quorum = 1
        else if (!isUnreachable(error) && !isRepeated(error)) throw error
        if (performance.now() - began > REPEAT_LIMIT_MS) {
          throw new EngineError('SOCKET_TIMEOUT', error.message, { cause: error })
        }
        await sleep(PAUSE_MS * Math.min(10, attempt))
      }
    }
  }
}

/**
 * Inserts rows into a table of the service, on a number of servers. When fewer servers confirm the insert, it succeeds with any of
 * them unless all are required.
 */
export async function insertOnServers(
  engine: RemoteEngine,
  statement: Sql,
  { servers, isRequired = false }: { readonly servers: number; readonly isRequired?: boolean },
): Promise<void> {
  const quorum = servers > 1 ? servers : 0
  try {
    await engine.with({ ...UNTOKENED, insert_quorum: quorum }).run(statement)
  } catch (error) {
    // The row may be stored on one of the servers.
    const isTooFew = hasCode(error, 'TOO_FEW_LIVE_REPLICAS', 'UNKNOWN_STATUS_OF_INSERT')
    if (!isTooFew || isRequired) throw error
    await engine.with({ ...UNTOKENED, insert_quorum: 0 }).run(statement)
  }
}

const PAUSE_MS = 100
const MAX_TRIES = 20

/**
 * Two services may change a definition at the same time: the later change is rejected and tried again. The same happens to a
 * change that reaches a server before an earlier change.
 */
export async function retryConcurrent(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      // The definition is not the latest one, or lacks a column that was added on another server.
      const isOutdated = hasCode(error, 'CANNOT_ASSIGN_ALTER', 'UNKNOWN_IDENTIFIER')
      if (!isOutdated || tries === MAX_TRIES) throw error
      await sleep(randomInt(PAUSE_MS))
    }
  }
}

/** Returns the kind of the tables behind an address, whose database `evq` exists. */
export async function tableKindOf(engine: RemoteEngine): Promise<TableKind> {
  const found = await engineOf(engine, 'path')
  if (found !== undefined) return kindOf(found)
  // Another service may look at the same time, and would drop a table of the same name.
  const name = `table_probe_${randomUUID().replaceAll('-', '')}`
  const probe = sql`evq.${raw(name)}`
  await engine.run(sql`CREATE TABLE IF NOT EXISTS ${probe} (n UInt8) ENGINE = MergeTree ORDER BY n`)
  const engineName = await engineOf(engine, name)
  await engine.run(sql`DROP TABLE IF EXISTS ${probe} SYNC`)
  return kindOf(engineName ?? '')
}

function kindOf(engine: string): TableKind {
  if (engine.startsWith('Shared')) return 'shared'
  return engine.startsWith('Replicated') ? 'replicated' : 'own'
}

async function engineOf(engine: RemoteEngine, table: string): Promise<string | undefined> {
  const result = await engine.ask(
    sql`SELECT engine FROM system.tables WHERE database = 'evq' AND name = ${text(table)}`,
  )
  return stringsIn(result, 'engine')[0]
}

/** The errors when `KeeperMap` tables are not configured, or not allowed. */
const NO_KEEPER_MAP = [
  'BAD_ARGUMENTS',
  'UNKNOWN_STORAGE',
  'INCORRECT_QUERY',
  'SUPPORT_IS_DISABLED',
  'ACCESS_DENIED',
] as const

/** True when tables of the engine `KeeperMap` can be created. */
export async function offersKeeperMap(engine: RemoteEngine): Promise<boolean> {
  try {
    if ((await engineOf(engine, 'keeper_lease')) !== undefined) return true
    // A path that another service is deleting can't be used.
    const path = text(`/evq/probe-${randomUUID()}`)
    await engine.run(sql`
      CREATE TABLE IF NOT EXISTS evq.probe (name String) ENGINE = KeeperMap(${path}) PRIMARY KEY name`)
    await engine.run(sql`DROP TABLE IF EXISTS evq.probe SYNC`)
    return true
  } catch (error) {
    if (hasCode(error, ...NO_KEEPER_MAP)) return false
    throw error
  }
}

/** The first version, as year * 100 + month, that never ignores the token of an INSERT with SELECT. */
const TOKENS_SINCE = 2604

/**
 * True for a version of ClickHouse with which replicated tables apply an insert with a token once, also an INSERT with SELECT, which
 * stores events.
 */
export function keepsTokensIn(version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number)
  return year * 100 + month >= TOKENS_SINCE
}

/** Returns the identities of the servers that respond to a few requests to an address. */
export async function serversBehind(engine: RemoteEngine): Promise<ReadonlySet<string>> {
  const identity = raw("concat(hostName(), ' ', toString(serverUUID()), ' ', toString(tcpPort()))")
  const asked = Array.from({ length: 8 }, () => engine.ask(sql`SELECT ${identity} AS id`))
  return new Set((await Promise.all(asked)).flatMap((result) => stringsIn(result, 'id')))
}
