// Amounts on the command line and in messages.
import { Option } from 'commander'
import { binarySize } from '../../text/binary-size.js'
import { DURATION_SYNTAX, formatInOneUnit, parseDuration } from '../../wire/time/duration.js'
import { UsageError } from '../error/usage-error.js'

const UNIT_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

/** Parses a duration to milliseconds. For any other string, throws a `UsageError` whose subject is `what`. */
export function durationMs(text: string, what: string): number {
  const nanoseconds = parseDuration(text)
  if (nanoseconds !== undefined) return Number(nanoseconds) / 1e6
  throw new UsageError(`${what} takes ${DURATION_SYNTAX}, not \`${text}\`.`)
}

/** Returns an option that takes a duration, whose value is in milliseconds. Its help names the default. */
export function durationOption(flags: string, description: string, defaultMs?: number): Option {
  const usual = defaultMs && ` (default: ${formatInOneUnit(BigInt(defaultMs) * 1_000_000n)})`
  const option = new Option(flags, `${description}${usual ?? ''}`)
  return option.argParser((value: string) => durationMs(value, `\`${option.long}\``))
}

/** Returns an option that takes a size within limits, whose value is in bytes: `4194304`, `512KiB`, `4MiB`, `4MB`. */
export function bytesOption(
  flags: string,
  description: string,
  { least, most }: { readonly least: number; readonly most: number },
): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(value.toLowerCase()) ?? []
    const bytes = Math.round(Number(amount) * (UNIT_BYTES[unit] ?? Number.NaN))
    if (bytes >= least && bytes <= most) return bytes
    throw new UsageError(
      `\`${option.long}\` takes a size from \`${binarySize(least, '')}\` to \`${binarySize(most, '')}\`, not \`${value}\`.`,
    )
  })
}

/** Formats a number of bytes: `812 B`, `29.4 MB`. */
export function shortBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

/** Formats a duration in milliseconds: `34 ms`, `0.8 s`, `12 s`, `3 m 20 s`, `2 h 5 m`. */
export function shortDuration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
