import { randomUUID } from 'node:crypto'
import { type EngineError, hasCode } from '../engine.js'
import type { StoredBatches } from '../file-statement.js'
import type { Settings } from './settings.js'

// Replicated tables keep the tokens of inserts in Keeper, together with the rows: each further insert with the same token, on any
// server, has no effect.

/** The errors after which the same insert is sent again. */
const REPEATED = [
  'UNKNOWN_STATUS_OF_INSERT', // The number of replicas that have the rows is unknown.
  'TABLE_IS_READ_ONLY', // The server has no connection to Keeper.
  'KEEPER_EXCEPTION',
  'NO_ZOOKEEPER', // The server has never had a connection to Keeper.
  'TOO_FEW_LIVE_REPLICAS', // Too few replicas would have a copy; nothing is stored.
  'UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE',
  'CANNOT_ASSIGN_ALTER', // The definition of the table is being changed.
  'NO_SUCH_COLUMN_IN_TABLE', // The column was added on another replica.
  'UNKNOWN_TABLE', // The server was added, or lost its disk.
  'UNKNOWN_DATABASE', // For the same reasons.
] as const

/** The longest time for repeating an insert: after it, a client should send the batch again. */
export const REPEAT_LIMIT_MS = 40_000

/** Settings for the time that an insert waits for replicas and for Keeper. */
const WAITING: Settings = {
  insert_quorum_parallel: 1,
  insert_quorum_timeout: 10_000, // In milliseconds.
  // The attempts of a server to connect to Keeper, which take less than a second. By default it makes 20 in more than two
  // minutes, in which another server could store the rows.
  insert_keeper_max_retries: 3,
}

/** True for an error after which an insert with a token is sent again, to the same or to another server. */
export function isRepeated(error: EngineError): boolean {
  return hasCode(error, ...REPEATED)
}

/**
 * Returns the token of an insert: the token of its batch, which is the same in every service, or a random one. Each generation has
 * a different token for the same batch.
 */
export function insertToken({ dataset, batchHash = 0n }: StoredBatches, generation = 0): string {
  return batchHash === 0n ? randomUUID() : `${dataset} ${batchHash} ${generation}`
}

/** Returns the settings of an insert with a token; `quorum` is the number of replicas that must have the rows. */
export function tokenSettings(token: string, quorum: number | 'auto'): Settings {
  return {
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    // Without this setting, some versions ignore the token of an INSERT with SELECT.
    deduplicate_insert_select: 'force_enable',
    insert_quorum: quorum === 1 ? 0 : quorum,
    ...WAITING,
  }
}

/** Settings of inserts into the service's tables: rows may be stored twice, but rows that equal deleted ones must be stored. */
export const UNTOKENED: Settings = {
  insert_deduplicate: 0,
  deduplicate_insert: 'disable',
  deduplicate_insert_select: 'disable',
  ...WAITING,
}
