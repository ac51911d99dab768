import { matchAt } from '../../../text/match-at.js'

/**
 * Seconds since boot, as the kernel and X servers write them, perhaps after a priority; or since the start of a program. The servers
 * of games on the engine of Quake 3 write minutes and seconds.
 */
const UPTIME =
  /(?:<\d{1,3}>)?(\[ {0,6}\d{1,9}\.\d{3,9}\]| {0,7}\d{1,7}\.\d{3,9}(?= )| {0,2}\d{1,3}:[0-5]\d(?<=^.{6})(?= \S))/y
/** The beginning of a line with such a time; right-aligned numbers do not mean that the line continues an event. */
export const UPTIME_START = { scan: UPTIME }
const LEAST_SHARE = 0.9
const COMPARED_LINES = 100

/**
 * Returns the first time since boot if nearly all lines begin with such a time; undefined otherwise. It cannot be converted
 * to a point in time, because the time of the boot is unknown.
 */
export function uptimeIn(lines: readonly string[]): string | undefined {
  const compared = lines.filter((line) => line.trim() !== '').slice(0, COMPARED_LINES)
  const found = compared.flatMap((line) => matchAt(UPTIME, line, 0)?.[1] ?? [])
  return found.length >= compared.length * LEAST_SHARE ? found[0] : undefined
}
