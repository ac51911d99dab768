/** The part of evq that failed. */
export type DescribedErrorKind = 'directory' | 'engine-missing' | 'store'

/**
 * An expected failure of the local service, with a message for users. The client recognizes it without loading the
 * code that throws it.
 */
export class DescribedError extends Error {
  readonly kind: DescribedErrorKind

  constructor(kind: DescribedErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
