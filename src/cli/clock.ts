import type { Io } from './io.js'

/** Returns the clock of the environment, in nanoseconds since 1970. */
export function clock({ now }: Pick<Io, 'now'>): () => bigint {
  return () => BigInt(Math.round(now() * 1000)) * 1000n
}
