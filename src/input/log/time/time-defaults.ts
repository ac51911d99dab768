import type { Lookahead } from '../../byte-source.js'
import type { DetectionContext } from '../../events-start.js'
import type { OpenInput } from '../../open.js'
import type { ReadOptions } from '../../read-options.js'
import type { TimeDefaults } from './line-layout.js'

/** 1990: archives and images give earlier times to files with an unknown time. */
const FIRST_LIKELY = 631_152_000_000_000_000n

/** Returns a function that returns the latest possible time of an event: the last write to a file, or the present time. */
export function lastWritten(opened: OpenInput, { now = () => 0n }: ReadOptions): () => bigint {
  return () => {
    const current = now()
    const written = opened.lastWritten?.() ?? current
    return written < current && written >= FIRST_LIKELY ? written : current
  }
}

/** The number of bytes of an input in which the first time without a year is looked for. */
const MAX_YEAR_HEAD = 64 * 1024

/** Returns the defaults that complete times without a zone or a year. */
export function timeDefaults(
  { head }: Lookahead,
  { mark, lastWritten, zone, year }: DetectionContext,
): TimeDefaults {
  const lines = () => head.toString('latin1', mark, mark + MAX_YEAR_HEAD).split('\n')
  return { lastWritten, zone, ...(year !== undefined && { year, head: lines() }) }
}
