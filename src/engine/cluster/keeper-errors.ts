import { type EngineError, hasCode } from '../engine.js'

/** The messages of errors of Keeper that are about the connection. */
const DISCONNECTED =
  /session (has )?(been )?expired|connection loss|operation timeout|session moved/i

/** True for an error of a server that has lost its connection to Keeper, which it restores by itself. */
export function isKeeperAway(error: unknown): error is EngineError {
  if (hasCode(error, 'NO_ZOOKEEPER', 'TABLE_IS_READ_ONLY')) return true
  return hasCode(error, 'KEEPER_EXCEPTION') && DISCONNECTED.test(error.message)
}
