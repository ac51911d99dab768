import type { Flags } from '../../context.js'

/** How much the log of a service tells: each level with those before it. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** How much a log tells. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The level where none is asked for. */
export function usualLevel({ quiet = false, verbose = 0 }: Flags): LogLevel {
  if (quiet) return 'warn'
  return verbose > 0 ? 'debug' : 'info'
}
