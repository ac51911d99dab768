import type { Environment } from '../../environment.js'
import { FUNCTIONS } from '../../function/functions.js'
import { binAutoOutside } from '../../problem/operator.js'
import type { Call } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { checkArguments } from './arguments.js'
import { invoke } from './invoke.js'

const SECOND = 1_000_000_000n
const MINUTE = 60n * SECOND
const HOUR = 60n * MINUTE
const DAY = 24n * HOUR

/** The steps that a person would choose between. */
const LADDER: readonly bigint[] = [
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * SECOND),
  ...[1n, 5n, 10n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 3n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 7n, 30n].map((n) => n * DAY),
]

const USUAL_POINTS = 60

/** `bin_auto(_time)`: a `bin` whose step follows from the time range of the query. */
export function checkBinAuto(call: Call, site: Site): CheckedExpression | undefined {
  if (site.aggregates !== 'key') return site.context.report(binAutoOutside(call.function))
  const signature = FUNCTIONS.bin_auto
  const values = checkArguments(call, { name: 'bin_auto', signature }, site)
  const step = {
    kind: 'constant',
    type: 'timespan',
    value: autoStep(site.context.environment),
  } as const
  return values && invoke('bin', 'datetime', [...values, step])
}

/** The smallest step of the ladder that makes at most so many bins; without a range, an hour. */
function autoStep({ range, now, maxDataPoints, resolution }: Environment): bigint {
  if (resolution !== undefined) return resolution
  if (range?.start === undefined) return HOUR
  const span = (range.end ?? now) - range.start
  const points = BigInt(maxDataPoints || USUAL_POINTS)
  return LADDER.find((step) => (span + step - 1n) / step <= points) ?? LADDER.at(-1)!
}
