import type { Problem } from '../text/problem.js'
import type { CheckedQuery } from './checked.js'
import type { Schema } from './schema.js'

/** What a query means depends on: the datasets there are and the instant that is `now()`. */
export interface Environment {
  readonly schema: Schema
  /** Nanoseconds since 1970. */
  readonly now: bigint
}

/** A query that can run, or everything that is wrong with it, in source order. */
export type Analyzed = { readonly query: CheckedQuery } | { readonly problems: readonly Problem[] }

/** Reads a query's text and finds what each of its names means. Never throws, whatever the text. */
export function analyze(text: string, environment: Environment): Analyzed {
  throw new Error(`not yet: ${text.length} ${environment.now}`)
}
