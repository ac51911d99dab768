import { setFlagsFromString } from 'node:v8'

/**
 * Runs a computation of some milliseconds that is not repeated. V8 would spend a third of its CPU time, on another thread, on
 * optimizing functions that are not called any more when they have been optimized.
 */
export function unoptimized<T>(compute: () => T): T {
  setFlagsFromString('--no-opt')
  try {
    return compute()
  } finally {
    setFlagsFromString('--opt')
  }
}
