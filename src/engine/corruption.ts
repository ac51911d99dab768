import { EngineError } from './engine.js'

/**
 * ClickHouse's error codes for corrupted files: data that ends too early, wrong checksums, corrupted data, data that can't be
 * decompressed.
 */
const CORRUPTION_CODES = [33, 40, 246, 271]
/** ClickHouse's error codes for missing files: its own, and the code for exceptions of the C++ library. */
const MISSING_FILE = 107
const LIBRARY_EXCEPTION = 1001

/** Returns true for an error caused by corrupted files. */
export function isCorruption(error: unknown): boolean {
  return error instanceof EngineError && CORRUPTION_CODES.includes(error.code)
}

/** Returns true for an error of reading stored events that is caused by corrupted or missing files. */
export function isDamage(error: unknown): boolean {
  if (isCorruption(error)) return true
  if (!(error instanceof EngineError)) return false
  return (
    error.code === MISSING_FILE ||
    (error.code === LIBRARY_EXCEPTION && error.message.includes('filesystem error'))
  )
}
