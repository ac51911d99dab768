import type { Option } from 'commander'
import { binarySize } from '../../../text/binary-size.js'
import { SERVE_LIMITS, type ServeLimit, type ServeLimits } from '../../../wire/serve-limits.js'
import { UsageError } from '../../error/usage-error.js'
import { countOption } from '../../option/option.js'
import { bytesOption, durationOption } from '../../option/quantity.js'

const OPTIONS = Object.entries(SERVE_LIMITS).map(([limit, row]) => [limit, optionOf(row)] as const)

export const LIMIT_OPTIONS: readonly Option[] = OPTIONS.map(([, option]) => option)

function optionOf({ flag, summary, usual, unit }: ServeLimit): Option {
  if (unit === 'count') return countOption(`${flag} <count>`, `${summary} (${usual})`)
  if (unit === 'duration')
    return durationOption(`${flag} <duration>`, `${summary} (${usual / 1000}s)`)
  return bytesOption(`${flag} <size>`, `${summary} (${binarySize(usual, '')})`, unit)
}

/** Returns the limits that the options of a command line set. Throws a `UsageError` for a limit of 0. */
export function limitsOf(options: Readonly<Record<string, unknown>>): Partial<ServeLimits> {
  const limits = OPTIONS.flatMap(([limit, option]) => {
    const value = options[option.attributeName()]
    if (value === 0) throw new UsageError(`\`${option.long}\` takes a duration above 0.`)
    return value === undefined ? [] : [[limit, value] as const]
  })
  return Object.fromEntries(limits)
}
