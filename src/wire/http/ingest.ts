/** The most events that evq sends in a request, and the most that hosted services accept in one. */
export const MOST_BATCH_EVENTS = 10_000

/** The failures that a response lists unless the request asks for another number; all of them are counted. */
export const LISTED_FAILURES = 1_000

/** The answer of `POST /v1/ingest/<dataset>`. */
export interface IngestResult {
  readonly ingested: number
  readonly failed: number
  readonly failures: readonly IngestFailure[]
  /** How many of the failures are counted in `failed` and not listed; missing when all are listed. */
  readonly failuresOmitted?: number
  readonly processedBytes: number
  readonly blocksCreated: number
  readonly walLength: number
}

/** One event that was not stored. */
export interface IngestFailure {
  /** RFC 3339. */
  readonly timestamp: string
  readonly error: string
  /** The event's position in the request, from 0; hosted services leave it out. */
  readonly index?: number
  /** The line it begins on, from 1, where the format has lines; hosted services leave it out. */
  readonly line?: number
  /** The field that is to blame, where a service tells. */
  readonly field?: string
}
