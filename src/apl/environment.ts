import type { Schema } from './schema.js'

/** The inputs of a query besides its text: the existing datasets, the value of `now()` and the request's options. */
export interface Environment {
  readonly schema: Schema
  /** Nanoseconds since 1970. */
  readonly now: bigint
  /** The time range of the request, which limits the events of every dataset; open where a bound is missing. */
  readonly range?: TimeRange
  /** The maximum number of steps of `bin_auto`. */
  readonly maxDataPoints?: number
  /** A fixed step for `bin_auto`, in nanoseconds. */
  readonly resolution?: bigint
  /** The inputs that the query may read in addition to datasets; a service has none. */
  readonly inputs?: Inputs
  /** Variables of the request as JSON values; a `let` of the same name takes precedence. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Inputs of the local program, each of them read into a dataset. */
export interface Inputs {
  /** The dataset of a query that starts with an operator. */
  readonly main?: string
  /** Returns the dataset with the events of the files that `file(…)` names; undefined when it was not read. */
  file(pattern: string): string | undefined
  /** Fields that `*` does not test: they locate an event in its file and are not part of the event. */
  readonly unsearched?: readonly string[]
}

/** A half-open range of `_time`, in nanoseconds since 1970: `start` is included, `end` is not. A missing bound is unbounded. */
export interface TimeRange {
  readonly start?: bigint
  readonly end?: bigint
}
