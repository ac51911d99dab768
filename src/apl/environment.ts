import type { Schema } from './schema.js'

/** What a query's meaning depends on: the datasets there are and the instant that is `now()`. */
export interface Environment {
  readonly schema: Schema
  /** Nanoseconds since 1970. */
  readonly now: bigint
  /** The times that the events of every dataset are kept within, open where nobody says. */
  readonly range?: QueryRange
  /** The most steps that `bin_auto` makes of the time. */
  readonly maxDataPoints?: number
  /** The step that `bin_auto` takes whatever the time: nanoseconds. */
  readonly resolution?: bigint
  /** Names that the request gives, each a JSON value; a `let` of the same name wins. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Nanoseconds since 1970: start included, end not. */
interface QueryRange {
  readonly start?: bigint
  readonly end?: bigint
}
