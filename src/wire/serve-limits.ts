import { BODY_BYTES, RESULT_ROWS } from './limits.js'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

export interface ServeLimit {
  /** The option of `evq serve`, and its help. */
  readonly flag: `--${string}`
  readonly summary: string
  /** The default: a number, milliseconds, or bytes with the range of a size. */
  readonly usual: number
  readonly unit: 'count' | 'duration' | { readonly least: number; readonly most: number }
}

/** The limits that `evq serve` sets. */
export const SERVE_LIMITS = {
  bodyBytes: {
    flag: '--max-body',
    summary: 'maximum size of a body, uncompressed',
    usual: BODY_BYTES,
    unit: { least: 1, most: GIB },
  },
  rows: {
    flag: '--max-rows',
    summary: 'maximum number of rows in a result',
    usual: RESULT_ROWS,
    unit: 'count',
  },
  queryTimeoutMs: {
    flag: '--query-timeout',
    summary: 'maximum run time of a query',
    usual: 60_000,
    unit: 'duration',
  },
  // The engine needs some memory before a query does anything, and sorting spills to disk at half of the limit.
  queryMemoryBytes: {
    flag: '--query-memory',
    summary: 'maximum memory of a query',
    usual: 2 * GIB,
    unit: { least: 64 * MIB, most: 1024 * GIB },
  },
} as const satisfies Readonly<Record<string, ServeLimit>>

export type ServeLimits = { readonly [Name in keyof typeof SERVE_LIMITS]: number }
