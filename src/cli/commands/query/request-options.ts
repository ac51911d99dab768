// Every field of a request that is neither its text nor its range, as flags that `query` and `page` share.
import { type Command, Option } from 'commander'
import type { AplRequest, OrderEntry, QueryOptions } from '../../../wire/http/query.js'
import { DURATION_SYNTAX, parseDuration } from '../../../wire/time/duration.js'
import { UsageError } from '../../error/usage-error.js'
import { choiceOption, collect, countOption } from '../../option/option.js'
import type { Params } from '../../option/param.js'
import type { TimeRange } from '../../option/time-range.js'

/** The flags that say how a service is to answer; each is a field of the request. */
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

/** The flags that choose a part of the rows; a command that pages chooses it by itself. */
export interface RowFlags {
  readonly limit?: number
  readonly order?: readonly OrderEntry[]
  readonly cursor?: string
  readonly includeCursor?: boolean
}

type Priority = NonNullable<QueryOptions['priority']>

const PRIORITIES: readonly Priority[] = ['low', 'medium', 'high']

/** Gives a command the flags that say how a service is to answer. */
export function addRequestOptions(command: Command): Command {
  return command
    .optionsGroup('How to answer:')
    .addOption(resolutionOption())
    .addOption(
      countOption('--max-data-points <n>', 'how many steps of time `bin_auto` makes at most'),
    )
    .addOption(countOption('--max-series <n>', 'how many groups a chart has at most'))
    .option('--no-fill', 'leave steps of time without events out')
    .option('--no-interpolation', 'put nothing between the steps that have events')
    .option('--no-aggregation', 'the events themselves, not what they add up to')
    .option('--no-cache', 'read everything anew')
    .addOption(choiceOption('--priority <word>', PRIORITIES.join(', '), PRIORITIES))
    .option('--library <name>', 'a library of the query; any number of times', collect)
    .option('--cursor-field', "a column `_cursor`, each row's place")
    .option('--disable-stats', 'without the numbers of what was examined')
    .option('--disable-trace', 'without a trace of the query')
}

/** Gives a command the flags that choose a part of the rows, the limit aside. */
export function addRowOptions(command: Command): Command {
  return command
    .option('--order <field:desc>', 'the order where the query has none; or field:asc', addOrder)
    .option('--cursor <cursor>', 'go on behind a row; cursors are those of an answer before')
    .option('--include-cursor', "with that row, which is the cursor's own")
}

/** The request that the flags ask for. */
export function requestOf(
  apl: string,
  range: TimeRange,
  flags: RequestFlags & RowFlags,
): AplRequest {
  const { limit, order, param, library, cursor } = flags
  const queryOptions = queryOptionsOf(flags)
  return {
    apl,
    ...range,
    ...(limit && { defaultLimit: limit }),
    ...(order && { defaultOrder: order }),
    ...(param && { variables: param }),
    ...(library && { libraries: library }),
    ...(cursor && { cursor }),
    ...(flags.includeCursor && { includeCursor: true }),
    ...(flags.cursorField && { includeCursorField: true }),
    ...(Object.keys(queryOptions).length > 0 && { queryOptions }),
  }
}

/** What nobody asks for is not mentioned, so that a service's own defaults hold. */
function queryOptionsOf(flags: RequestFlags): QueryOptions {
  const { resolution, maxDataPoints, maxSeries, priority } = flags
  return {
    ...(resolution && { resolution }),
    ...(maxDataPoints && { maxDataPoints }),
    ...(maxSeries && { maxSeries }),
    ...(priority && { priority }),
    ...(flags.fill === false && { noFill: true }),
    ...(flags.interpolation === false && { noInterpolation: true }),
    ...(flags.aggregation === false && { noAggregation: true }),
    ...(flags.cache === false && { disableCache: true }),
    ...(flags.disableStats && { disableStats: true }),
    ...(flags.disableTrace && { disableTrace: true }),
  }
}

/** The step of time of `bin_auto`. */
function resolutionOption(): Option {
  const option = new Option('--resolution <step>', 'the step of time of `bin_auto`: 30s, 1h')
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
