const UNITS: Readonly<Record<string, bigint>> = unitTable([
  [1n, ['ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds']],
  [1_000n, ['us', 'µs', 'micro', 'micros', 'microsecond', 'microseconds']],
  [1_000_000n, ['ms', 'milli', 'millis', 'millisecond', 'milliseconds']],
  [1_000_000_000n, ['s', 'sec', 'secs', 'second', 'seconds']],
  [60_000_000_000n, ['m', 'min', 'mins', 'minute', 'minutes']],
  [3_600_000_000_000n, ['h', 'hr', 'hrs', 'hour', 'hours']],
  [86_400_000_000_000n, ['d', 'day', 'days']],
  [604_800_000_000_000n, ['w', 'week', 'weeks']],
])

const TIMESPAN = /^(-?)(\d+)(?:\.(\d+))?([a-zµ]+)$/

/** The nanoseconds of `1.5h`, `500ms`, `2d`; undefined for anything else. What is finer than a nanosecond is cut. */
export function parseTimespan(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', name = ''] = TIMESPAN.exec(text) ?? []
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined
  if (unit === undefined) return undefined
  const size = (BigInt(whole + fraction) * unit) / 10n ** BigInt(fraction.length)
  return sign === '-' ? -size : size
}

const EXACT = ['d', 'h', 'm', 's', 'ms', 'us', 'ns'] as const

/** A timespan as it is written in a query: `90m`, in the largest unit that leaves no fraction. */
export function formatTimespan(nanoseconds: bigint): string {
  const unit = EXACT.find((name) => nanoseconds % UNITS[name]! === 0n) ?? 'ns'
  return nanoseconds === 0n ? '0s' : `${nanoseconds / UNITS[unit]!}${unit}`
}

function unitTable(rows: readonly (readonly [bigint, readonly string[]])[]) {
  return Object.fromEntries(rows.flatMap(([size, names]) => names.map((name) => [name, size])))
}
