import { type Sql, sql } from '../sql/sql.js'
import { CODE } from '../text/clickhouse-code.js'
import { errorCode } from '../text/system-error.js'
import type { FileStatement } from './file-statement.js'
import type { Replication } from './replication.js'
import { type EngineOf, plainEngine, type ServiceTable } from './table-engine.js'

/** A ClickHouse engine, embedded or remote. Methods reject with an `EngineError`. */
export interface Engine {
  /** Set when other processes may store events at the same time. */
  readonly isShared?: true
  /** Set when the data is only used by one command, and deleted at its end. */
  readonly isTemporary?: true | undefined
  /** Set when repeating the insert of a batch with an id has no effect: each batch with an id then gets its own insert. */
  readonly repeatsInserts?: true
  /** Set when the service may create tables of the engine `KeeperMap`. */
  readonly hasKeeperMap?: true
  /** A table expression for FROM: the rows of `system.parts` for the events of all datasets and for metadata. */
  readonly storedParts: Sql
  /** The same for `system.detached_parts`. Undefined on replicas, which restore damaged parts from each other. */
  readonly detachedParts?: Sql | undefined
  /** The parts that all replicas of a shard have lost; undefined on a single server. */
  readonly lostParts?: LostParts
  /** Creates a table of the service unless it exists. */
  createTable(table: ServiceTable): Promise<void>
  /** Runs a statement that changes something other than the events of a dataset. */
  run(statement: Sql): Promise<void>
  /** Creates, changes, renames or drops the table of a dataset, on all shards. */
  change(change: TableChange | TableRename): Promise<void>
  /** Rejects with a `MissingServerError` when a server is away: deleting and renaming datasets needs all servers. */
  requireAllServers?(): Promise<void>
  /** Resolves when the next queries see all rows that tables of the service had before the call. */
  synchronize?(tables: readonly string[]): Promise<void>
  /** Returns the state of the servers of a cluster; missing in other engines. */
  replication?(): Replication
  /** Runs an internal query of the store, which reads all acknowledged events of the given datasets. */
  ask(query: Sql, about?: Pick<ReadLimits, 'datasets'>): Promise<EngineResult>
  /** Runs an internal query on each server in use, and returns the results of the servers that respond; missing in other engines. */
  askEach?(query: Sql): Promise<readonly EngineResult[]>
  /** Runs an insert that reads files: stores all of it or nothing. */
  load(insert: FileStatement): Promise<void>
  /** Resolves when as many replicas as a response requires have the events that a dataset had before the call. */
  confirmCopies?(dataset: string): Promise<void>
  /** Runs a user's query, read-only and within limits. */
  read(query: Sql, limits: ReadLimits): Promise<EngineResult>
  /**
   * Runs a user's query like `read` and yields blocks of rows in ClickHouse's format Native while they are computed, in memory that
   * does not grow with their number. Completes only after the last row: when the query fails, times out or is aborted, rejects with the
   * error, possibly after some rows. The timeout includes the time in which the caller does not ask for the next block. Leaving the
   * loop ends the query. The embedded engine plans the query on the calling thread: thousands of columns take long. Missing when
   * the engine returns only whole results.
   */
  scan?(query: Sql, limits: ReadLimits): AsyncGenerator<Buffer, void>
  /**
   * Ends all statements and releases the data. Resolves with false when a statement could not be ended: then the data is
   * released when the process exits.
   */
  close(): Promise<boolean>
}

/** Returns a method of an engine that waits for something else first. */
export function after<Args extends readonly unknown[], Result>(
  first: () => Promise<void>,
  method: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    await first()
    return await method(...args)
  }
}

/** Queries for the parts that all replicas of a shard have lost. */
export interface LostParts {
  /** The number of losses that the servers in use have noticed since they started, as `losses`. */
  readonly noticed: Sql
  /**
   * A row for each table with losses: `shard`, `database`, `table`, its `path` in Keeper, and the number of `losses`. Several requests
   * to Keeper for each table.
   */
  readonly counted: Sql
}

/** A change of a dataset's table; a cluster applies it to each table of the dataset. */
export interface TableChange {
  /**
   * `alter` changes the columns of the table, `note` only its comment, `events` its rows or indexes.
   */
  readonly kind: 'create' | 'alter' | 'note' | 'drop' | 'events'
  readonly dataset: string
  /** `engineOf` returns the engine of a table that is created. */
  statement(table: Sql, engineOf: EngineOf): Sql
}

/** A new name for the table of a dataset. Does nothing when there is no such table, as in a repetition. */
export interface TableRename {
  readonly kind: 'rename'
  readonly dataset: string
  readonly to: string
}

/** Returns the statement of a change, given the tables of datasets. */
export function changeStatement(
  change: TableChange | TableRename,
  tableOf: (dataset: string) => Sql,
  engineOf: EngineOf = plainEngine,
): Sql {
  const table = tableOf(change.dataset)
  if (change.kind !== 'rename') return change.statement(table, engineOf)
  return sql`RENAME TABLE IF EXISTS ${table} TO ${tableOf(change.to)}`
}

/** The limits of a query and settings for running it. */
export interface ReadLimits {
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** Rows that the engine reads at a time; by default its own choice. */
  readonly blockRows?: number
  /** The approximate size of long rows that the engine reads at a time; by default its own choice. */
  readonly blockBytes?: number
  /** The number of threads; by default the number of processors. */
  readonly threads?: number
  /** Counts all rows in front of the last LIMIT instead of stopping when the limit is reached. */
  readonly countsBeforeLimit?: boolean
  /** Counts the rows that the aggregation of the query reads. */
  readonly countsAggregated?: boolean
  /**
   * Reads parts whose times do not overlap one after the other, not all at once: for the first events. With a filter that few
   * events pass, one thread would do most of the work.
   */
  readonly readsInTurn?: boolean
  /** The most rows that the query may read: the engine throws `TOO_MANY_ROWS` once the indexes have selected more. */
  readonly mostRows?: number
  /** The datasets of which the query reads all events that were acknowledged before it, by any service; by default none. */
  readonly datasets?: readonly string[]
  /** Aborting kills the query in the engine; `read` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The result of a query, not decoded. */
export interface EngineResult {
  /** The JSON text of each column's array of values, by column name: `"[1,2,null]"`. */
  readonly columns: ReadonlyMap<string, string>
  /** The same texts as UTF-8 bytes: decoding long columns to strings takes longer than forwarding them. */
  readonly bytes: ReadonlyMap<string, Buffer>
  readonly rows: number
  readonly rowsExamined: number
  /** The number of rows in front of the last LIMIT; exact only with `countsBeforeLimit`. */
  readonly rowsBeforeLimit: number
  /** The number of rows that aggregations read, with `countsAggregated`; undefined when the engine ran no aggregation. */
  readonly rowsAggregated?: number
  /** Set when some shards could not be reached. */
  readonly isPartial?: true
}

/** Returns true for an error of ClickHouse with one of these codes. */
export function hasCode<Name extends keyof typeof CODE>(
  error: unknown,
  ...names: readonly Name[]
): error is EngineError & { readonly code: (typeof CODE)[Name] } {
  return error instanceof EngineError && names.some((name) => CODE[name] === error.code)
}

/** Returns true for an error that means that a connection failed, or was closed in the middle of a response. */
export function isDisconnection(error: unknown): boolean {
  return hasCode(error, 'NETWORK_ERROR', 'ATTEMPT_TO_READ_AFTER_EOF')
}

/** Returns true for an error that means that a server can't be reached, or that all replicas of a shard lag. */
export function isUnreachable(error: unknown): boolean {
  if (isDisconnection(error)) return true
  return hasCode(error, 'SOCKET_TIMEOUT', 'ALL_CONNECTION_TRIES_FAILED', 'ALL_REPLICAS_ARE_STALE')
}

export function isCorruption(error: unknown): boolean {
  return hasCode(
    error,
    'CANNOT_READ_ALL_DATA',
    'CHECKSUM_DOESNT_MATCH',
    'CORRUPTED_DATA',
    'CANNOT_DECOMPRESS',
    'UNKNOWN_CODEC',
  )
}

/** Returns true for an error of reading stored events that is caused by corrupted or missing files. */
export function isDamage(error: unknown): boolean {
  if (isCorruption(error) || hasCode(error, 'FILE_DOESNT_EXIST')) return true
  if (isDenied(error)) return false
  return hasCode(error, 'STD_EXCEPTION') && error.message.includes('filesystem error')
}

const DENIED = /filesystem error.*: Permission denied|errno: 13\b/

/** Returns true for an error that means that the user of the service may not read or write a file. */
export function isDenied(error: unknown): boolean {
  if (error instanceof EngineError) return DENIED.test(error.message)
  return errorCode(error) === 'EACCES'
}

/** The error of an internal statement that exceeded its timeout: its outcome is unknown. */
export function statementTimeout(limitMs: number): EngineError {
  return new EngineError('SOCKET_TIMEOUT', `no response within ${limitMs / 1000} s`)
}

/** Grace period: the engine reports a timeout slightly late, and not at all while it is planning the query. */
export const GRACE_MS = 2_000

/** The error of a query without a response when its timeout and the grace period are over. */
export function queryTimeout({ timeoutMs }: ReadLimits): EngineError {
  const message = `no response within ${(timeoutMs + GRACE_MS) / 1000} s`
  return new EngineError('TIMEOUT_EXCEEDED', message)
}

export function isTimeout(error: unknown): boolean {
  return hasCode(error, 'TIMEOUT_EXCEEDED')
}

/** An error of the engine; `code` is ClickHouse's error code, the message is not for users. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
  readonly code: number

  constructor(code: number | keyof typeof CODE, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = typeof code === 'number' ? code : CODE[code]
  }
}

/** A change that needs all servers was not made, since one of them is away. */
export class MissingServerError extends EngineError {
  readonly url: string

  constructor(url: string) {
    super('NETWORK_ERROR', `\`${url}\` is away`)
    this.url = url
  }
}

/** Nothing can be read from a shard or stored in it, since all of its servers are away. */
export class MissingShardError extends EngineError {
  /** From 0. */
  readonly shard: number

  constructor(shard: number) {
    super('SOCKET_TIMEOUT', `no server of shard ${shard + 1} responds`)
    this.shard = shard
  }
}

/** A lease was not renewed in time because the process was suspended or the engine could not be reached. */
export class LeaseLostError extends EngineError {
  override readonly name = 'LeaseLostError'

  constructor(name: string) {
    super('SOCKET_TIMEOUT', `the lease on \`${name}\` was not renewed in time`)
  }
}

/** The number of shards was changed after the service was started: nothing is stored. */
export class ShardCountError extends EngineError {}
