// The grammar of durations in flags, requests and queries.

/** The units of time in nanoseconds; months and years have no fixed length. */
export const NANOSECONDS: Readonly<Record<string, bigint>> = unitTable([
  [1n, ['ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds']],
  [1_000n, ['us', 'µs', 'micro', 'micros', 'microsecond', 'microseconds']],
  [1_000_000n, ['ms', 'milli', 'millis', 'millisecond', 'milliseconds']],
  [1_000_000_000n, ['s', 'sec', 'secs', 'second', 'seconds']],
  [60_000_000_000n, ['m', 'min', 'mins', 'minute', 'minutes']],
  [3_600_000_000_000n, ['h', 'hr', 'hrs', 'hour', 'hours']],
  [86_400_000_000_000n, ['d', 'day', 'days']],
  [604_800_000_000_000n, ['w', 'week', 'weeks']],
])

/** The syntax of durations, for messages. */
export const DURATION_SYNTAX =
  'a duration such as `30s` or `1h30m` (units: ns, us, ms, s, m, h, d, w)'

const DURATION = /^(?:\d+(?:\.\d+)?[a-zµ]+)+$/
const AMOUNT = /(\d+)(?:\.(\d+))?([a-zµ]+)/g

/** Parses `500ms`, `1.5h` or `1w2d12h` to nanoseconds, rounded down; undefined for any other text. */
export function parseDuration(text: string): bigint | undefined {
  if (!DURATION.test(text)) return undefined
  let sum = 0n
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(AMOUNT)) {
    if (!Object.hasOwn(NANOSECONDS, unit)) return undefined
    sum += (BigInt(whole + fraction) * NANOSECONDS[unit]!) / 10n ** BigInt(fraction.length)
  }
  return sum
}

const WHOLE = ['d', 'h', 'm', 's', 'ms', 'us', 'ns'] as const

/** Formats a duration in the largest unit without a fraction: `90m`. */
export function formatInOneUnit(nanoseconds: bigint): string {
  const unit = WHOLE.find((name) => nanoseconds % NANOSECONDS[name]! === 0n) ?? 'ns'
  return nanoseconds === 0n ? '0s' : `${nanoseconds / NANOSECONDS[unit]!}${unit}`
}

const BELOW_A_SECOND = ['ns', 'µs', 'ms'] as const

/** Formats a duration like Go, and like APL in strings: `1m20s`, `1.5s`, `250µs`. The largest unit is hours. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`
  if (nanoseconds === 0n) return '0s'
  if (nanoseconds < NANOSECONDS.s!) {
    const unit = BELOW_A_SECOND.findLast((name) => nanoseconds >= NANOSECONDS[name]!) ?? 'ns'
    return `${quotient(nanoseconds, NANOSECONDS[unit]!)}${unit}`
  }
  const hours = nanoseconds / NANOSECONDS.h!
  const minutes = (nanoseconds / NANOSECONDS.m!) % 60n
  const seconds = `${quotient(nanoseconds % NANOSECONDS.m!, NANOSECONDS.s!)}s`
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`
  return minutes > 0n ? `${minutes}m${seconds}` : seconds
}

/** Returns the exact quotient as a decimal without trailing zeros. */
function quotient(amount: bigint, unit: bigint): string {
  const digits = String(unit).length - 1
  const fraction = String(amount % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return `${amount / unit}${digits === 0 || fraction === '' ? '' : `.${fraction}`}`
}

function unitTable(rows: readonly (readonly [bigint, readonly string[]])[]) {
  return Object.fromEntries(rows.flatMap(([size, names]) => names.map((name) => [name, size])))
}
