import { DescribedError, errorCode } from '../text/system-error.js'
import {
  hasCode,
  isCorruption,
  isDenied,
  isUnreachable,
  LeaseLostError,
  ShardCountError,
} from './engine.js'

type StoreFailure =
  | 'disk-full'
  | 'removed'
  | 'too-many-lines'
  | 'invalid-lines'
  | 'unavailable'
  | 'failed'

/** A batch that could not be stored; the message is for users. */
export class StoreError extends DescribedError {
  override readonly name = 'StoreError'
  readonly reason: StoreFailure

  constructor(reason: StoreFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export function diskFullError(cause?: unknown): StoreError {
  return new StoreError(
    'disk-full',
    'The disk is full (64 MiB are reserved): none of these events were stored. Free some space and send the same events again.',
    { cause },
  )
}

export function unwrittenError(): StoreError {
  return new StoreError(
    'failed',
    'Not all files could be written to the disk: nothing was stored. Check the disk, and the quota of the user who runs the service, and try again.',
  )
}

export function removedError(): StoreError {
  return new StoreError(
    'removed',
    'The batch with this id was removed, so none of these events were stored. Send them under another batch id to store them.',
  )
}

const NO_SPACE = /no space left|errno: 28\b|ENOSPC|EDQUOT|disk quota/i

/** Returns true for an error that means that the disk, or the quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (hasCode(error, 'NOT_ENOUGH_SPACE')) return true
  return NO_SPACE.test(`${errorCode(error)} ${error.message}`)
}

/** Returns true for an error of a server that is busy, and will accept the same statement later. */
function isOverloaded(error: unknown): boolean {
  return hasCode(error, 'TOO_MANY_PARTS', 'TOO_MANY_SIMULTANEOUS_QUERIES')
}

/** Errors after which the same events may be sent again, with their messages. */
const UNAVAILABLE: readonly { is(error: unknown): boolean; readonly message: string }[] = [
  {
    is: (error) => error instanceof LeaseLostError,
    message:
      'The service was suspended or disconnected from ClickHouse for so long that another service may have taken over: none of these events were stored. Send the same events again.',
  },
  {
    is: (error) => error instanceof ShardCountError,
    message:
      'The number of shards has changed since the service started: events are not accepted until `evq serve` is restarted. Send the same events again under the same batch id.',
  },
  {
    is: isUnreachable,
    message:
      "ClickHouse can't be reached, so it is unknown whether these events are stored. Send the same events again under the same batch id.",
  },
  {
    is: isOverloaded,
    message:
      'ClickHouse accepts no more inserts for now: it has too many parts to merge, or too many statements to run. Send the same events again under the same batch id.',
  },
]

/** Converts an error of storing a batch to a `StoreError`, whose message is for users. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (isDiskFull(error)) return diskFullError(error)
  const found = UNAVAILABLE.find(({ is }) => is(error))
  if (found !== undefined) return new StoreError('unavailable', found.message, { cause: error })
  return new StoreError('failed', failureText(error), { cause: error })
}

function failureText(error: unknown): string {
  if (isCorruption(error)) {
    return 'None of these events were stored: files of the dataset on the disk are corrupted.'
  }
  return isDenied(error)
    ? `None of these events could be stored. ${ACCESS_DENIED}`
    : 'None of these events could be stored.'
}

/** The explanation of an error for which `isDenied` is true. */
export const ACCESS_DENIED =
  'The service has no permission to read or write some of its files: another user may own them.'

/** The error of a batch with an id when the lookup of earlier batches fails. */
export function lookupError(error: unknown): StoreError {
  if (error instanceof StoreError && error.reason === 'removed') return error
  return unknownOutcome(
    error,
    'It could not be determined whether these events are stored already. Send the same events again under the same batch id.',
  )
}

/** The error of a batch whose events are stored, but whose response could not be produced. */
export function responseError(error: unknown): StoreError {
  return unknownOutcome(
    error,
    'These events are stored, but the response could not be produced. Sending them again stores them twice, except under the same batch id.',
  )
}

/**
 * Returns the error for an unknown outcome. Unless a server is unreachable or busy, `toStoreError` would say that nothing is stored.
 */
function unknownOutcome(error: unknown, message: string): StoreError {
  if (isUnreachable(error) || isOverloaded(error)) return toStoreError(error)
  return new StoreError('failed', message, { cause: error })
}
