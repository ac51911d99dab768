// Derives charts from the columns of a table.
import type { Table } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { timeOfCell } from '../../wire/time/timestamp.js'
import { drawnNumber } from '../cell.js'
import { shownCell } from '../table-layout.js'
import { type Column, columnsOf, MAX_ROWS, rowNames } from './column.js'
import { type SparklineChart, sparklinesOf } from './sparkline-chart.js'
import { unfoldSeries } from './unfold-series.js'

/** A chart of one column of numbers, or of arrays of numbers. */
export type Chart = LineChart | BarChart | SparklineChart

/** Values over time, one line per group. */
export interface LineChart {
  readonly kind: 'lines'
  readonly name: string
  readonly unit: Unit
  readonly times: readonly Time[]
  readonly lines: readonly Line[]
}

/** A point in time: milliseconds after the first, and the text in the table. */
export interface Time {
  readonly instant: bigint
  readonly after: number
  readonly text: string
  /** True when the table lacks the time interval in front of this one, in which there were no events. */
  readonly isAfterGap: boolean
}

/** The values of one group over time. */
export interface Line {
  readonly name: string
  /** One value per time; undefined for a time without a value. */
  readonly values: readonly (number | undefined)[]
}

/** Values side by side, one bar per group. */
export interface BarChart {
  readonly kind: 'bars'
  readonly name: string
  readonly unit: Unit
  readonly bars: readonly Bar[]
  /** The number of rows that are not drawn. */
  readonly left: number
}

/** The value of one group. */
export interface Bar {
  readonly name: string
  readonly value: number | undefined
  /** The value as displayed in a table. */
  readonly text: string
}

/** The unit of numbers; timespans are in nanoseconds. */
export type Unit = 'number' | 'timespan'

/** The reason why a table has no chart, as a sentence. */
interface NoChart {
  readonly reason: string
}

/** Returns one chart per column of numbers, or the reason why the table has no chart. */
export function chartsOf(given: Table): readonly Chart[] | NoChart {
  const table = unfoldSeries(given)
  const columns = columnsOf(table)
  const rows = columns[0]?.cells.length ?? 0
  if (rows === 0) return { reason: 'There are no rows to draw.' }
  const sparklines = sparklinesOf(columns)
  if (sparklines !== undefined) return [sparklines]
  const isGrouped = table.groups.length > 0
  const time = timeColumn(columns, table.buckets?.field)
  const values = valueColumns(columns, time, isGrouped)
  if (values.length === 0) return { reason: 'No column has numbers to draw.' }
  const names = columns.filter((column) => {
    const isFree = column !== time && !values.includes(column)
    return isFree && column.isName && (column.isGroup || column.field.type !== 'datetime')
  })
  const labels = rowNames(names, rows)
  const times = time === undefined ? [] : timesOf(time, table.buckets)
  if (time !== undefined && times.length > 1) {
    const groups = rowsByGroup(labels, time.cells, times)
    return 'reason' in groups ? groups : values.map((column) => lineChart(column, times, groups))
  }
  if (rows === 1 && !isGrouped) return { reason: 'A chart needs more than one row.' }
  return values.map((column) => barChart(column, labels))
}

/** Returns the time axis: the column of the bins, else of the groups, else `_time`, else the first column of times. */
function timeColumn(columns: readonly Column[], binned: string | undefined): Column | undefined {
  const times = columns.filter(
    ({ field, cells }) => field.type === 'datetime' && cells.some((cell) => cell !== 'null'),
  )
  return (
    times.find(({ field }) => field.name === binned) ??
    times.find(({ isGroup }) => isGroup) ??
    times.find(({ field }) => field.name === '_time') ??
    times[0]
  )
}

/** Returns the columns of numbers; only the aggregations, if the table has any. */
function valueColumns(
  columns: readonly Column[],
  time: Column | undefined,
  isGrouped: boolean,
): readonly Column[] {
  const numeric = columns.filter((column) => column.isNumeric && !column.isGroup && column !== time)
  const isAggregate = ({ field }: Column) => field.agg !== undefined
  if (columns.some(isAggregate)) return numeric.filter(isAggregate)
  // Without groups and other columns, the first column of numbers names the rows.
  const hasNames = time !== undefined || isGrouped || numeric.length < columns.length
  return hasNames ? numeric : numeric.slice(1)
}

/** Returns the distinct times of a column in order. */
function timesOf({ cells, field }: Column, buckets: Table['buckets']): readonly Time[] {
  const texts = new Map<bigint, string>()
  for (const cell of cells) {
    const instant = timeOfCell(cell)
    if (instant !== undefined) texts.set(instant, cell.slice(1, -1))
  }
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  const step = buckets?.field === field.name ? buckets.size : Number.POSITIVE_INFINITY
  return sorted.map(([instant, text], at) => ({
    instant,
    after: Number(instant - sorted[0]![0]) / 1e6,
    text,
    isAfterGap: at > 0 && Number(instant - sorted[at - 1]![0]) > step,
  }))
}

/** The row of each time in each group; a group may lack times. */
type RowsByGroup = ReadonlyMap<string, readonly (number | undefined)[]>

function rowsByGroup(
  labels: readonly string[],
  cells: readonly JsonText[],
  times: readonly Time[],
): RowsByGroup | NoChart {
  const position = new Map(times.map(({ instant }, at) => [instant, at]))
  const groups = new Map<string, (number | undefined)[]>()
  for (const [row, name] of labels.entries()) {
    const instant = timeOfCell(cells[row])
    if (instant === undefined) continue
    const at = position.get(instant)!
    const rows = groups.get(name) ?? []
    if (rows[at] !== undefined) {
      return {
        reason:
          'Several rows have the same time; use `summarize … by bin(_time, 5m)` to combine them.',
      }
    }
    rows[at] = row
    groups.set(name, rows)
  }
  if (groups.size * 2 > labels.length) {
    return {
      reason:
        'Nearly every row would be a separate line; use `summarize … by bin(_time, 5m)` to group them.',
    }
  }
  return groups
}

function lineChart(column: Column, times: readonly Time[], groups: RowsByGroup): LineChart {
  const lines = [...groups].map(([name, rows]) => ({
    name,
    values: times.map((_, at) => {
      const row = rows[at]
      return row === undefined ? undefined : drawnNumber(column.cells[row]!)
    }),
  }))
  return { kind: 'lines', name: column.heading, unit: unitOf(column), times, lines }
}

function barChart(column: Column, labels: readonly string[]): BarChart {
  const { cells, field, heading } = column
  const bars = labels.slice(0, MAX_ROWS).map((name, row) => ({
    name,
    value: drawnNumber(cells[row]!),
    text: shownCell(cells[row]!, field.type),
  }))
  const left = labels.length - bars.length
  return { kind: 'bars', name: heading, unit: unitOf(column), bars, left }
}

function unitOf({ field }: Column): Unit {
  return field.type === 'timespan' ? 'timespan' : 'number'
}
