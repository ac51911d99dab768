import type { Schema } from './schema.js'

/** What a query's meaning depends on: the datasets there are and the instant that is `now()`. */
export interface Environment {
  readonly schema: Schema
  /** Nanoseconds since 1970. */
  readonly now: bigint
}
