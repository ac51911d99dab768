/** The answer of `POST /v1/ingest/<dataset>`. */
export interface IngestResult {
  readonly ingested: number
  readonly failed: number
  readonly failures: readonly IngestFailure[]
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
