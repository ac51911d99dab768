import type { CheckedQuery } from '../apl/checked.js'
import type { Type } from '../apl/type.js'
import type { Layout } from './layout.js'
import type { Sql } from './sql.js'

/** What a checked query does not say itself: how its datasets lie, and what of them is asked for. */
export interface CompileOptions {
  /** How a dataset lies; there is an answer for every dataset that the query names. */
  layout(dataset: string): Layout
  readonly range: TimeRange
  /** The most rows the answer may hold. */
  readonly limit: bigint
}

/** Nanoseconds since 1970 that `_time` of every dataset is kept within: start included, end not. */
export interface TimeRange {
  readonly start?: bigint
  readonly end?: bigint
}

/** A query as the engine runs it, and what its answer means. */
export interface CompiledQuery {
  /** Its columns are named `c<id>`, in the order of `columns`; it has no FORMAT. */
  readonly statement: Sql
  readonly columns: readonly CompiledColumn[]
  /** Counts, as `matched`, the events that pass the filters before anything else is done with them. */
  readonly matched?: Sql
  /** The order that the rows come in, as far as columns of the result tell it. */
  readonly order: readonly { readonly field: string; readonly desc: boolean }[]
  /** The keys of the `summarize` that are not its time bin. */
  readonly groups: readonly string[]
  /** The time bin of the `summarize` and its size in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint }
}

export interface CompiledColumn {
  readonly id: number
  readonly name: string
  readonly type: Type
  readonly wireType: string
  /** `json`: the cells are strings that hold JSON text, to be put into an answer as they are; null is no value. */
  readonly encoding: 'plain' | 'json'
}

/** Compiles a checked query to one statement. */
export function compile(_query: CheckedQuery, _options: CompileOptions): CompiledQuery {
  throw new Error('not compiled yet')
}
