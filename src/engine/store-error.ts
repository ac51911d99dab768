import { EngineError } from './engine.js'

/** A batch that could not be stored, none of it; the message is for users. */
export class StoreError extends Error {
  readonly reason: 'disk-full' | 'failed'

  constructor(options: { reason: 'disk-full' | 'failed'; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'StoreError'
    this.reason = options.reason
  }
}

/** ClickHouse's code for a disk that it knows to be full. */
const NOT_ENOUGH_SPACE = 243
const NO_SPACE = /no space left|errno: 28\b|ENOSPC|EDQUOT|disk quota/i

/** What went wrong while storing, as users should hear it. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = error instanceof EngineError ? error.code : 0
  const message = error instanceof Error ? error.message : ''
  if (code === NOT_ENOUGH_SPACE || NO_SPACE.test(message)) {
    return new StoreError({
      reason: 'disk-full',
      message:
        'The disk is full: none of these events were stored. With space freed the same events can be sent again.',
      cause: error,
    })
  }
  return new StoreError({
    reason: 'failed',
    message: 'These events could not be stored, none of them.',
    cause: error,
  })
}
