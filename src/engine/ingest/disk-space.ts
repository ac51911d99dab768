import { statfs } from 'node:fs/promises'
import { errorCode } from '../../text/system-error.js'
import { LeaseLostError } from '../cluster/leases.js'
import { EngineError, isUnreachable } from '../engine.js'
import { isDamage } from '../maintenance/corruption.js'
import { StoreError } from '../store-error.js'

/**
 * Bytes of the disk that are never filled. On a disk that is really full the engine has been seen to
 * take a merged part for good whose last file it could not write.
 */
export const KEPT_FREE_BYTES = 64 * 1024 * 1024

/** Refuses, before it is written, what would leave too little of the disk free. */
export async function refuseFullDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' ? gone(folder) : error
  })
  if (bavail * bsize - bytes < KEPT_FREE_BYTES) throw diskFull()
}

/** Deleting rows writes files anew without them; ClickHouse needs room for that even where few bytes remain. */
const NEEDED_TO_DELETE_BYTES = 16 * 1024 * 1024

/** Refuses to delete events while the disk is full: ClickHouse would wait for space without an end. */
export async function refuseDeletion(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= NEEDED_TO_DELETE_BYTES) return
  throw new StoreError({
    reason: 'disk-full',
    message:
      'The disk is full: nothing was deleted. Deleting events needs 16 MiB of free space for a moment.',
  })
}

/** None of a batch was stored, for want of space. */
function diskFull(cause?: unknown): StoreError {
  return new StoreError({
    reason: 'disk-full',
    message:
      'The disk is full (64 MiB of it are kept free): none of these events were stored. With space freed the same events can be sent again.',
    cause,
  })
}

/** ClickHouse's code for a disk that it knows to be full. */
const NOT_ENOUGH_SPACE = 243
const NO_SPACE = /no space left|errno: 28\b|ENOSPC|EDQUOT|disk quota/i

/** Whether an error says that the disk, or an account's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof EngineError && error.code === NOT_ENOUGH_SPACE) return true
  return NO_SPACE.test(`${errorCode(error)} ${error.message}`)
}

/** What went wrong while storing, as users should hear it. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (isDiskFull(error)) return diskFull(error)
  if (error instanceof LeaseLostError) {
    return new StoreError({
      reason: 'unavailable',
      message:
        'The service was suspended or cut off from ClickHouse for so long that another one may have taken over, so it stored none of these events. The same events can be sent again.',
      cause: error,
    })
  }
  if (isUnreachable(error)) {
    return new StoreError({
      reason: 'unavailable',
      message:
        "ClickHouse can't be reached, so it is not known whether these events are stored. The same events can be sent again under the same batch id.",
      cause: error,
    })
  }
  if (isDamage(error)) {
    return new StoreError({
      reason: 'failed',
      message:
        'None of these events could be stored, since files of the dataset are damaged on the disk.',
      cause: error,
    })
  }
  return new StoreError({
    reason: 'failed',
    message: 'These events could not be stored, none of them.',
    cause: error,
  })
}

/** The error of a batch with an id when the lookup of earlier batches fails. */
export function lookupError(error: unknown): StoreError {
  return undecided(
    error,
    'It could not be determined whether these events are stored already. The same events can be sent again under the same batch id.',
  )
}

/** The error of a batch whose events are stored, but whose response could not be produced. */
export function responseError(error: unknown): StoreError {
  return undecided(
    error,
    'These events are stored, but the response could not be produced. Sending them again stores them twice, except under the same batch id.',
  )
}

/** The messages of `storeError` say that nothing is stored, except that of an unreachable server. */
function undecided(error: unknown, message: string): StoreError {
  if (isUnreachable(error)) return storeError(error)
  return new StoreError({ reason: 'failed', message, cause: error })
}

/** Someone deleted the data directory under the running service. */
function gone(folder: string): StoreError {
  return new StoreError({
    reason: 'failed',
    message: `The folder \`${folder}\` is gone, so nothing can be stored before the service starts again.`,
  })
}
