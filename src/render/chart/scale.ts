import { formatDuration } from '../../wire/time/duration.js'
import { DAY, MILLISECOND, SECOND } from '../../wire/time/units.js'
import type { Unit } from './chart.js'

/** An axis with round numbers. */
export interface Scale {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
  readonly label: (tick: number) => string
}

/** Round durations, in seconds. */
export const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
]

/** Round durations up to a day, in nanoseconds. */
const ROUND_DURATIONS: readonly bigint[] = [
  ...[1n, 2n, 5n, 10n, 20n, 50n, 100n, 200n, 500n].map(
    (milliseconds) => milliseconds * MILLISECOND,
  ),
  ...TIME_STEPS.map((seconds) => BigInt(seconds) * SECOND),
]

/** Returns the shortest round duration of at least `least` nanoseconds. */
export function roundDuration(least: bigint): bigint {
  const round = ROUND_DURATIONS.find((duration) => duration >= least)
  return round ?? ((least + DAY - 1n) / DAY) * DAY
}

const THOUSANDS = ['', 'k', 'M', 'G', 'T', 'P'] as const

/**
 * Returns a scale for all values, or for 0 if there are none, with about `steps` steps. A tight scale includes 0 and ends
 * at the smallest and the largest value; any other scale ends at ticks, and includes 0 unless all values are far from 0.
 */
export function scaleOf(
  values: readonly number[],
  { unit, steps, tight }: { readonly unit: Unit; readonly steps: number; readonly tight: boolean },
): Scale {
  const any = values[0] ?? 0
  const least = values.reduce((a, b) => Math.min(a, b), any)
  const most = values.reduce((a, b) => Math.max(a, b), any)
  const isNearZero = least === most || (least > 0 ? least < most / 2 : most > least / 2)
  const low = tight || isNearZero ? Math.min(0, least) : least
  const high = tight || isNearZero ? Math.max(0, most) : most
  const round = roundStep((high - low || Math.abs(high) || 1) / steps, unit)
  // Between counts there are no ticks such as 0.5.
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round
  const first = tight ? Math.ceil(low / step) : Math.floor(low / step)
  const last = tight ? Math.floor(high / step) : Math.max(Math.ceil(high / step), first + 1)
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  const furthest = Math.max(...ticks.map(Math.abs))
  return {
    from: tight ? low : ticks[0]!,
    to: tight ? high || 1 : ticks.at(-1)!,
    ticks,
    label: labelOf(unit, step, furthest),
  }
}

function roundStep(rough: number, unit: Unit): number {
  if (unit === 'timespan' && rough > 1e9) {
    const seconds = rough / 1e9
    const round = TIME_STEPS.find((step) => step >= seconds)
    return 1e9 * (round ?? 86_400 * roundStep(seconds / 86_400, 'number'))
  }
  const size = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((factor) => factor * size >= rough * 0.999) ?? 10) * size
}

function labelOf(unit: Unit, step: number, most: number): (tick: number) => string {
  if (unit === 'timespan') return (tick) => formatDuration(BigInt(Math.round(tick)))
  // As digits, the largest and the smallest numbers would take the width of the chart.
  if (most >= 1e21 || step < 1e-6) {
    return (tick) => String(Number(tick.toPrecision(15))).replace('e+', 'e')
  }
  // Ticks are written in thousands if that leaves them distinct.
  const power = Math.floor(Math.log10(most) / 3 + 1e-9)
  const fits = Math.min(power, Math.floor(Math.log10(step) / 3 + 0.7), THOUSANDS.length - 1)
  const thousands = most < 10_000 ? 0 : Math.max(0, fits)
  const divisor = 1_000 ** thousands
  const digits = Math.max(0, -Math.floor(Math.log10(step / divisor) + 1e-9))
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: Math.min(digits, 20) })
  return (tick) => (tick === 0 ? '0' : `${format.format(tick / divisor)}${THOUSANDS[thousands]}`)
}
