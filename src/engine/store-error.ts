type StoreFailure = 'disk-full' | 'too-many-lines' | 'unavailable' | 'failed'

/** A batch that could not be stored, none of it; the message is for users. */
export class StoreError extends Error {
  readonly reason: StoreFailure

  constructor(options: { reason: StoreFailure; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'StoreError'
    this.reason = options.reason
  }
}
