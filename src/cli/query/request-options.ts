// The flags of `query` and `page` for members of a request other than the query and the time range.

import { type Command, Option } from 'commander'
import { defined } from '../../text/defined.js'
import type { AplRequest, OrderEntry, QueryOptions } from '../../wire/http/query.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { choiceOption, collect, countOption } from '../option/option.js'
import type { Params } from '../option/param.js'
import type { TimeRange } from '../option/time-range.js'

export interface RequestFlags {
  readonly param?: Params
  readonly library?: readonly string[]
  readonly resolution?: string
  readonly maxDataPoints?: number
  readonly maxSeries?: number
  readonly priority?: Priority
  readonly fill?: boolean
  readonly interpolation?: boolean
  readonly aggregation?: boolean
  readonly cache?: boolean
  readonly disableStats?: boolean
  readonly disableTrace?: boolean
  readonly cursorField?: boolean
}

/** The flags that select rows, for commands without paging. */
export interface RowFlags {
  readonly limit?: number
  readonly order?: readonly OrderEntry[]
  readonly cursor?: string
  readonly includeCursor?: boolean
}

type Priority = NonNullable<QueryOptions['priority']>

const PRIORITIES: readonly Priority[] = ['low', 'medium', 'high']

export function addRequestOptions(command: Command): Command {
  return command
    .optionsGroup('Request options:')
    .addOption(resolutionOption())
    .addOption(countOption('--max-data-points <n>', 'the maximum number of `bin_auto` time steps'))
    .addOption(countOption('--max-series <n>', 'the maximum number of groups in a chart'))
    .option('--no-fill', 'omit time steps without events')
    .option('--no-interpolation', 'do not interpolate between time steps with events')
    .option('--no-aggregation', 'return events instead of aggregates')
    .option('--no-cache', 'do not use cached results')
    .addOption(choiceOption('--priority <word>', PRIORITIES.join(', '), PRIORITIES))
    .option('--library <name>', 'a library used by the query; can be repeated', collect)
    .option('--cursor-field', 'add a column `_cursor` with the position of each row')
    .option('--disable-stats', 'omit execution statistics from the response')
    .option('--disable-trace', 'omit the query trace from the response')
}

/** Adds the flags that select rows, except the limit. */
export function addRowOptions(command: Command): Command {
  return command
    .option('--order <field:desc>', 'the order if the query has none; or field:asc', addOrder)
    .option('--cursor <cursor>', 'start after the row with this cursor of a previous response')
    .option('--include-cursor', 'start with the row of the cursor itself')
}

export function requestOf(
  apl: string,
  range: TimeRange,
  flags: RequestFlags & RowFlags,
): AplRequest {
  const { limit, order, param, library, cursor } = flags
  const queryOptions = queryOptionsOf(flags)
  return defined({
    apl,
    ...range,
    defaultLimit: limit || undefined,
    defaultOrder: order,
    variables: param,
    libraries: library,
    cursor: cursor || undefined,
    includeCursor: flags.includeCursor,
    includeCursorField: flags.cursorField,
    queryOptions: Object.keys(queryOptions).length > 0 ? queryOptions : undefined,
  })
}

/** Reports parameters whose names are not words of the query or of `--assert`: their values have no effect. */
export function noticeUnusedParams(
  query: string,
  { param = {}, assert = '' }: Pick<RequestFlags, 'param'> & { readonly assert?: string },
  { info }: Pick<Context, 'info'>,
): void {
  const apl = `${query}\n${assert}`
  const words = new Set(apl.split(/\W+/))
  for (const name of Object.keys(param)) {
    const isUsed = words.has(name) || (/\W/.test(name) && apl.includes(name))
    if (!isUsed) info(`The query does not use the parameter \`${name}\`, which \`--param\` sets.`)
  }
}

/** Returns only the options that are set, so that the defaults of the service apply. */
function queryOptionsOf(flags: RequestFlags): QueryOptions {
  const { resolution, maxDataPoints, maxSeries, priority } = flags
  return defined({
    resolution: resolution || undefined,
    maxDataPoints: maxDataPoints || undefined,
    maxSeries: maxSeries || undefined,
    priority,
    noFill: flags.fill === false || undefined,
    noInterpolation: flags.interpolation === false || undefined,
    noAggregation: flags.aggregation === false || undefined,
    disableCache: flags.cache === false || undefined,
    disableStats: flags.disableStats,
    disableTrace: flags.disableTrace,
  })
}

/** The option for the time step of `bin_auto`. */
function resolutionOption(): Option {
  const option = new Option('--resolution <step>', 'the time step of `bin_auto`, e.g. 30s or 1h')
  return option.argParser((value: string) => {
    if (value === 'auto' || parseDuration(value) !== undefined) return value
    throw new UsageError(`\`--resolution\` takes \`auto\` or ${DURATION_SYNTAX}, not \`${value}\`.`)
  })
}

function addOrder(text: string, before: readonly OrderEntry[] = []): readonly OrderEntry[] {
  const [, field, direction] = /^(.+):(asc|desc)$/s.exec(text) ?? []
  if (field !== undefined) return [...before, { field, desc: direction === 'desc' }]
  throw new UsageError(
    `\`--order\` takes a field and its direction, \`_time:desc\` or \`_time:asc\`, not \`${text}\`.`,
  )
}
