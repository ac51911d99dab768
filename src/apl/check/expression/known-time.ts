import { ownValue } from '../../../text/own-value.js'
import { DAY } from '../../../wire/time/units.js'
import { parseDatetime } from '../../syntax/datetime.js'
import type { CheckedExpression } from '../checked.js'

/**
 * Evaluates a datetime or timespan before the query runs: literals, `now()`, `ago(1d)`, their sums and their `bin`.
 * Returns nanoseconds; undefined when the value depends on rows or on other functions.
 */
export function knownTime(value: CheckedExpression, now: bigint): bigint | undefined {
  if (value.kind === 'constant') return constantTime(value.value, value.type)
  if (value.kind !== 'invocation') return undefined
  const parts = value.arguments.map((argument) => knownTime(argument, now))
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length) return undefined
  const rule = ownValue(RULES, value.function)
  return rule?.(known, now)
}

function constantTime(value: unknown, type: string): bigint | undefined {
  if (typeof value === 'bigint') return value
  return type === 'string' && typeof value === 'string' ? parseDatetime(value) : undefined
}

type Rule = (values: readonly bigint[], now: bigint) => bigint | undefined

const RULES: Readonly<Record<string, Rule>> = {
  '+': ([a, b]) => a! + b!,
  '-': ([a, b]) => a! - b!,
  '*': ([a, b]) => a! * b!,
  negate: ([a]) => -a!,
  ago: ([span], now) => now - span!,
  bin: ([value, size]) => binned(value!, size!),
  endofday: ([value]) => binned(value!, DAY)! + DAY - 1n,
  now: ([span], now) => now + (span ?? 0n),
  startofday: ([value, days]) => binned(value!, DAY)! + (days ?? 0n) * DAY,
  todatetime: ([value]) => value,
}

/** Rounds down to a multiple of `size`; undefined when `size` is not positive. */
function binned(value: bigint, size: bigint): bigint | undefined {
  if (size <= 0n) return undefined
  const rest = value % size
  return value - (rest < 0n ? rest + size : rest)
}
