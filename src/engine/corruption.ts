import { hasCode } from './engine.js'

/** Returns true for an error caused by corrupted files. */
export function isCorruption(error: unknown): boolean {
  return hasCode(
    error,
    'CANNOT_READ_ALL_DATA',
    'CHECKSUM_DOESNT_MATCH',
    'CORRUPTED_DATA',
    'CANNOT_DECOMPRESS',
  )
}

/** Returns true for an error of reading stored events that is caused by corrupted or missing files. */
export function isDamage(error: unknown): boolean {
  if (isCorruption(error) || hasCode(error, 'FILE_DOESNT_EXIST')) return true
  return hasCode(error, 'STD_EXCEPTION') && error.message.includes('filesystem error')
}
