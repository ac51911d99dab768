import { NANOSECONDS } from '../../../wire/time/duration.js'
import { clockAt, type TimeZone, UTC } from '../../../wire/time/time-zone.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'

const DAY = NANOSECONDS.d!
const HOUR = NANOSECONDS.h!

/** Returns a short value of `--since` whose range includes an instant: `3h`, `5d` or a date. */
export function sinceText(
  instant: bigint,
  { now, zone = UTC }: { readonly now: bigint; readonly zone?: TimeZone | undefined },
): string {
  const age = now - instant
  if (age < 0n) return 'now'
  // One unit more than the age, because time passes until the hint is used.
  if (age < 2n * DAY) return `${age / HOUR + 1n}h`
  if (age < 14n * DAY) return `${age / DAY + 1n}d`
  return formatTimestamp(clockAt(instant, zone)).slice(0, 'YYYY-MM-DD'.length)
}
