import type { Lookahead } from '../../byte-source.js'
import type { DetectionContext } from '../../events-start.js'
import type { OpenInput } from '../../open.js'
import type { ReadOptions } from '../../read-options.js'
import type { TimeDefaults } from './line-layout.js'

/** 1990, after the times that archives and images give to files whose time they do not know. */
const FIRST_LIKELY = 631_152_000_000_000_000n

/** Returns the function that gives the time after which no event of an input can be: now, unless it is an older file. */
export function lastWritten(opened: OpenInput, { now = () => 0n }: ReadOptions): () => bigint {
  return () => {
    const current = now()
    const written = opened.lastWritten?.() ?? current
    return written < current && written >= FIRST_LIKELY ? written : current
  }
}

/** The first time without a year is looked for in this much of an input, in bytes. */
const MAX_YEAR_HEAD = 64 * 1024

/** Returns what completes the times of lines that have no zone or no year. */
export function timeDefaults(
  { head }: Lookahead,
  { mark, lastWritten, zone, year }: DetectionContext,
): TimeDefaults {
  const lines = () => head.toString('latin1', mark, mark + MAX_YEAR_HEAD).split('\n')
  return { lastWritten, zone, ...(year !== undefined && { year, head: lines() }) }
}
