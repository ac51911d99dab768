// Units of time in nanoseconds.

export const MILLISECOND = 1_000_000n
export const SECOND = 1_000_000_000n
export const MINUTE = 60n * SECOND
export const HOUR = 60n * MINUTE
export const DAY = 24n * HOUR
