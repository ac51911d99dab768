import { NANOSECONDS } from './time-unit.js'

const BELOW_A_SECOND = ['ns', 'µs', 'ms'] as const

/** A length of time as Go writes it, and APL in texts: `1m20s`, `1.5s`, `250µs`; hours are the largest unit. */
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

/** Exact, in decimals without zeros at the end. */
function quotient(amount: bigint, unit: bigint): string {
  const digits = String(unit).length - 1
  const fraction = String(amount % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return `${amount / unit}${digits === 0 || fraction === '' ? '' : `.${fraction}`}`
}
