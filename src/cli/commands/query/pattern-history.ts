// Counts over time of the patterns of `reduce`, for `-o chart`.

import { type Reduction, reductionOf } from '../../../apl/language.js'
import { ApiError } from '../../../client/error.js'
import { MAX_ROWS } from '../../../render/chart/column.js'
import { roundDuration } from '../../../render/chart/scale.js'
import { sparklineWidth } from '../../../render/chart/sparkline.js'
import type { AplRequest } from '../../../wire/http/query.js'
import { columnOf, type Table, type TabularResult } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { formatInOneUnit } from '../../../wire/time/duration.js'
import { formatTimestamp, timeOfCell } from '../../../wire/time/timestamp.js'

/** The pattern that stands for all patterns below the threshold. */
const REST = '"*"'

const DEFAULT_THRESHOLD = '0.001'

/** More than the number of steps of all sparklines. */
const MOST_COUNTS = 10_000

type Ask = (request: AplRequest) => Promise<TabularResult>

/**
 * Adds a column `over_time` to the result of a query with `reduce`: for each pattern the number of events in equal steps of
 * time, counted by a second query. Returns undefined when the query has no `reduce`, or its events have no times.
 */
export async function withPatternHistory(
  request: AplRequest,
  { tables }: TabularResult,
  { width, ask }: { readonly width: number; readonly ask: Ask },
): Promise<{ readonly tables: readonly Table[]; readonly note: string } | undefined> {
  const reduction = reductionOf(request.apl)
  const [table] = tables
  if (reduction === undefined) return undefined
  const patterns = columnOf(table, 'pattern')
  if (table === undefined || patterns === undefined || patterns.length === 0) return undefined
  // If no pattern was removed by later operators or by the maximum number of lines, `*` counts all events of other patterns.
  const isWhole = reduction.isLast && patterns.length <= MAX_ROWS
  const named = patterns.slice(0, MAX_ROWS).filter((cell) => cell !== REST || !isWhole)
  const { cursor: _cursor, defaultOrder: _order, ...query } = request
  const rest = { ...query, defaultLimit: MOST_COUNTS }
  const times = `${reduction.before}summarize first_ = min(_time), last_ = max(_time)`
  const size = stepOf((await askOrNone(ask, { ...rest, apl: times }))?.tables[0], width)
  if (size === undefined) return undefined
  const counted = await ask({ ...rest, apl: countsOverTime(reduction, { named, size }) })
  const history = countsOf(counted.tables[0], size)
  if (history === undefined) return undefined
  const { counts, note } = history
  const cells = patterns.map((pattern) => {
    const found = pattern === REST && !isWhole ? undefined : counts.get(pattern)
    return found === undefined ? 'null' : `[${found.join(',')}]`
  })
  const overTime = { name: 'over_time', type: 'array' }
  const drawn = {
    ...table,
    fields: [...table.fields, overTime],
    columns: [...table.columns, cells],
  }
  return { tables: [drawn, ...tables.slice(1)], note }
}

/** Runs a query; returns undefined when it is rejected, as it is for rows without `_time`. */
async function askOrNone(ask: Ask, request: AplRequest): Promise<TabularResult | undefined> {
  try {
    return await ask(request)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Returns the query that counts the events of each named pattern, and the events of all other patterns as `*`. */
function countsOverTime(
  { before, by, threshold = DEFAULT_THRESHOLD }: Reduction,
  { named, size }: { readonly named: readonly JsonText[]; readonly size: bigint },
): string {
  // A JSON string is also a string in APL.
  const texts = named.filter((cell) => cell !== 'null')
  const isShown = `pattern in (${texts.join(', ') || '""'})`
  const isNull = named.includes('null') ? 'isnull(pattern)' : 'false'
  return `${before}reduce kind=source by ${by} with threshold=${threshold}
| extend pattern = iff(${isNull} or ${isShown}, pattern, "*")
| summarize count() by bin(_time, ${formatInOneUnit(size)}), pattern`
}

/** Returns a round step that divides the time from the first to the last event into about as many steps as a line shows. */
function stepOf(table: Table | undefined, width: number): bigint | undefined {
  const [first, last] = (table?.columns ?? []).map(([cell]) => timeOfCell(cell))
  if (first === undefined || last === undefined) return undefined
  return roundDuration((last - first) / BigInt(sparklineWidth(width)) + 1n)
}

/** Returns the counts of each pattern in all steps from the first to the last; undefined without times. */
function countsOf(
  table: Table | undefined,
  size: bigint,
): { readonly counts: ReadonlyMap<string, readonly number[]>; readonly note: string } | undefined {
  const names = ['_time', 'pattern', 'count_']
  const [times, patterns, counts] = names.map((name) => columnOf(table, name))
  if (times === undefined || patterns === undefined || counts === undefined) return undefined
  const instants = times.map((cell) => timeOfCell(cell) ?? 0n)
  const first = instants.reduce((least, one) => (one < least ? one : least), instants[0] ?? 0n)
  const placeOf = (instant: bigint) => Number((instant - first) / size)
  const length = instants.reduce((most, one) => Math.max(most, placeOf(one) + 1), 0)
  const all = new Map<string, number[]>()
  for (const [row, pattern] of patterns.entries()) {
    const values = all.get(pattern) ?? new Array<number>(length).fill(0)
    values[placeOf(instants[row]!)] = Number(counts[row])
    all.set(pattern, values)
  }
  const range = `${formatTimestamp(first)} to ${formatTimestamp(first + size * BigInt(length))}`
  return { counts: all, note: `Counts from ${range}, ${formatInOneUnit(size)} per step.` }
}
