/** A batch that could not be stored, none of it; the message is for users. */
export class StoreError extends Error {
  readonly reason: 'disk-full' | 'failed'

  constructor(options: { reason: 'disk-full' | 'failed'; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'StoreError'
    this.reason = options.reason
  }
}
