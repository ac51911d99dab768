import { EngineError } from '../engine.js'

/** ClickHouse's error codes for a server without a connection to Keeper. */
const NO_KEEPER = [225, 242]

/** ClickHouse's error code for errors of Keeper. */
export const KEEPER_EXCEPTION = 999
/** The messages of errors of Keeper that are about the connection. */
const DISCONNECTED =
  /session (has )?(been )?expired|connection loss|operation timeout|session moved/i

/** True for an error of a server that has lost its connection to Keeper, which it restores by itself. */
export function isKeeperAway(error: unknown): error is EngineError {
  if (!(error instanceof EngineError)) return false
  const { code, message } = error
  return NO_KEEPER.includes(code) || (code === KEEPER_EXCEPTION && DISCONNECTED.test(message))
}
