// Units of time in nanoseconds.

export const MILLISECOND = 1_000_000n
export const SECOND = 1_000_000_000n
export const HOUR = 3_600n * SECOND
export const DAY = 24n * HOUR
