// Finds unusually long times between events.
import { memoized } from '../../../text/memoized.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../../wire/time/units.js'
import { instantOfRow } from './histogram.js'
import type { HeldRows, ViewRow } from './row.js'

/** A time between events is unusually long when it is this many times as long as usual. */
const UNUSUAL = 30n

/** Returns the time between a row and the one before it when it is unusually long, in nanoseconds. */
export function gapBefore({ items }: HeldRows, index: number): bigint | undefined {
  const before = instantOfRow(items[index - 1])
  const at = instantOfRow(items[index])
  if (before === undefined || at === undefined) return undefined
  const gap = at - before
  return gap >= SECOND && gap >= UNUSUAL * usualGap(items) ? gap : undefined
}

/** Returns the median time between rows. Equal times do not count: many rows have the same time if the clock has only seconds. */
const usualGap = memoized((items: readonly ViewRow[]): bigint => {
  const times = items.flatMap((row) => instantOfRow(row) ?? [])
  const gaps = times.slice(1).flatMap((time, index) => {
    const gap = time - times[index]!
    return gap === 0n ? [] : gap
  })
  const sorted = gaps.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
})

/** Returns a duration of at least a second in its largest two units: `2h5m`, `40s`. */
export function roughDuration(nanoseconds: bigint): string {
  const days = nanoseconds / DAY
  const hours = (nanoseconds / HOUR) % 24n
  const minutes = (nanoseconds / MINUTE) % 60n
  const seconds = (nanoseconds / SECOND) % 60n
  const parts = [`${days}d`, `${hours}h`, `${minutes}m`, `${seconds}s`]
  const first = parts.findIndex((part) => !part.startsWith('0'))
  const largest = parts.slice(first, first + 2)
  return largest.filter((part) => !part.startsWith('0')).join('')
}
