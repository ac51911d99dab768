import type { Option } from 'commander'
import type { Limits } from '../../../service/limits.js'
import { binarySize } from '../../../text/binary-size.js'
import {
  BODY_BYTES,
  QUERY_MEMORY_MIB,
  QUERY_TIMEOUT_SECONDS,
  RESULT_ROWS,
} from '../../../wire/limits.js'
import { UsageError } from '../../error/usage-error.js'
import { countOption } from '../../option/option.js'
import { bytesOption, durationOption } from '../../option/quantity.js'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const BODY_SIZES = { least: 1, most: GIB }
/** The engine needs some memory before a query does anything, and sorting spills to disk at half of the limit. */
const QUERY_MEMORY = { least: 64 * MIB, most: 1024 * GIB }

/** The options of the limits; undefined for limits that the command line can't set. */
const OPTIONS: Readonly<Record<keyof Limits, Option | undefined>> = {
  bodyBytes: bytesOption(
    '--max-body <size>',
    `maximum size of a body, uncompressed (${binarySize(BODY_BYTES, '')})`,
    BODY_SIZES,
  ),
  rows: countOption('--max-rows <count>', `maximum number of rows in a result (${RESULT_ROWS})`),
  queryTimeoutMs: durationOption(
    '--query-timeout <duration>',
    `maximum run time of a query (${QUERY_TIMEOUT_SECONDS}s)`,
  ),
  queryMemoryBytes: bytesOption(
    '--query-memory <size>',
    `maximum memory of a query (${binarySize(QUERY_MEMORY_MIB * MIB, '')})`,
    QUERY_MEMORY,
  ),
  waitingRequests: undefined,
  waitingBytes: undefined,
  runningQueries: undefined,
  waitingQueries: undefined,
}

const settable = Object.entries(OPTIONS).flatMap(([limit, option]) =>
  option === undefined ? [] : [{ limit, option }],
)

export const LIMIT_OPTIONS: readonly Option[] = settable.map(({ option }) => option)

/** Returns the limits that the options of a command line set. Throws a `UsageError` for a limit of 0. */
export function limitsOf(options: Readonly<Record<string, unknown>>): Partial<Limits> {
  const limits = settable.flatMap(({ limit, option }) => {
    const value = options[option.attributeName()]
    if (value === 0) throw new UsageError(`\`${option.long}\` takes a duration above 0.`)
    return value === undefined ? [] : [[limit, value] as const]
  })
  return Object.fromEntries(limits)
}
