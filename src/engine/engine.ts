import type { Sql } from '../sql/sql.js'
import type { FileStatement } from './clickhouse/file-statement.js'

/** What the service asks of ClickHouse, embedded or remote. */
export interface Engine {
  /** Other processes may store events there at the same time. */
  readonly isShared?: true
  /** The rows of ClickHouse's `system.parts` for the events of all datasets; stands behind FROM. */
  readonly storedParts: Sql
  /** Runs a statement that changes something other than the events of a dataset. */
  run(statement: Sql): Promise<void>
  /** Makes, changes or deletes the table of a dataset, wherever its parts lie. */
  change(change: TableChange): Promise<void>
  /** Runs a query of the store's own. */
  ask(query: Sql): Promise<EngineResult>
  /** Stores what an insert reads out of files: all of it or nothing. */
  load(insert: FileStatement): Promise<void>
  /** Runs a query that reads files. */
  inspect(query: FileStatement): Promise<EngineResult>
  /** Runs a query, read-only and within limits. */
  read(query: Sql, limits: ReadLimits): Promise<EngineResult>
  /** How many parts a query would have to look into; reads none of them. */
  estimate(query: Sql, limits: ReadLimits): Promise<number>
  /**
   * Ends everything that runs and lets go of the data. False when something could not be ended: then
   * only the end of the process, which nothing keeps from it, lets go.
   */
  close(): Promise<boolean>
}

/** What is to be done to a dataset's table; a cluster does it to each table that the dataset is made of. */
export interface TableChange {
  /** `alter` changes what the table is like, `events` what is in it. */
  readonly kind: 'create' | 'alter' | 'drop' | 'events'
  readonly dataset: string
  statement(table: Sql): Sql
}

/** What a query may take, and how it is run. */
export interface ReadLimits {
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** How many rows the engine reads at a time; its own choice unless given. */
  readonly blockRows?: number
  /** As many as there are processors unless it says otherwise. */
  readonly threads?: number
  /** Counts the rows before the last limit, instead of ending when it has enough of them. */
  readonly countsBeforeLimit?: boolean
  /** Aborting kills the query in the engine; `read` then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** A result as the engine wrote it. */
export interface EngineResult {
  /** The JSON text of each column's array of values, by column name: `"[1,2,null]"`. */
  readonly columns: ReadonlyMap<string, string>
  /** The same in the bytes of UTF-8: making strings of long columns takes longer than passing them on. */
  readonly bytes: ReadonlyMap<string, Buffer>
  readonly rows: number
  readonly rowsExamined: number
  /** How many rows there were before the last limit: exactly, where that was asked for. */
  readonly rowsBeforeLimit: number
  /** Some of the events could not be reached. */
  readonly isPartial?: true
}

/** ClickHouse's numbers for a server that can't be reached, or no longer. */
const UNREACHABLE: readonly number[] = [32, 209, 210, 279]

/** Whether an error says that the servers, or some of them, can't be reached. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof EngineError && UNREACHABLE.includes(error.code)
}

/** ClickHouse's number for a server that does not answer in time. */
export const SOCKET_TIMEOUT = 209

/** A statement of the store's own that takes longer than any should: its outcome is not known. */
export function statementTimeout(limitMs: number): EngineError {
  return new EngineError({ code: SOCKET_TIMEOUT, message: `no answer within ${limitMs / 1000} s` })
}

const TIMEOUT_EXCEEDED = 159
/** Who keeps a limit of time says so a little later; who does not, as an engine that still plans the query, says nothing. */
export const GRACE_MS = 2_000

/** A query that was not heard of again when its limit was long past. */
export function queryTimeout({ timeoutMs }: ReadLimits): EngineError {
  const message = `no answer within ${(timeoutMs + GRACE_MS) / 1000} s`
  return new EngineError({ code: TIMEOUT_EXCEEDED, message })
}

/** Whether an error says that a query met its limit of time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof EngineError && error.code === TIMEOUT_EXCEEDED
}

/** The engine refused or failed; `code` is ClickHouse's number, the message is not for users. */
export class EngineError extends Error {
  readonly code: number

  constructor(options: { code: number; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'EngineError'
    this.code = options.code
  }
}
