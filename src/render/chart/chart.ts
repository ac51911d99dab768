// Derives charts from the columns of a table.
import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { timeOfCell } from '../../wire/time/timestamp.js'
import { drawnNumber } from '../cell.js'
import { escapeControls } from '../escape-controls.js'
import { isNumericColumn, labelText, shownCell } from '../table-layout.js'
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
}

interface Bar {
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
  const { fields, columns, buckets, groups } = table
  const rows = columns[0]?.length ?? 0
  if (rows === 0) return { reason: 'There are no rows to draw.' }
  const sparklines = sparklinesOf(table)
  if (sparklines !== undefined) return [sparklines]
  const isGroup = ({ name }: TableField) => groups.some((group) => group.name === name)
  const time = timeColumn()
  const values = valueColumns()
  if (values.length === 0) return { reason: 'No column has numbers to draw.' }
  const names = indicesOf(isName)
  const labels = Array.from({ length: rows }, (_, row) =>
    names.map((index) => labelText(columns[index]![row]!, fields[index]!.type)).join(', '),
  )
  const times = time === undefined ? [] : distinctTimes(columns[time]!)
  if (time !== undefined && times.length > 1) return lineCharts(time)
  if (rows === 1 && groups.length === 0) return { reason: 'A chart needs more than one row.' }
  return values.map((column) => ({
    kind: 'bars',
    ...heading(column),
    bars: labels.map((name, row) => {
      const cell = columns[column]![row]!
      return { name, value: drawnNumber(cell), text: shownCell(cell, fields[column]!.type) }
    }),
  }))

  function lineCharts(timeIndex: number): readonly LineChart[] | NoChart {
    const cells = columns[timeIndex]!
    const position = new Map(times.map((instant, index) => [instant, index]))
    const texts: string[] = []
    const rowsOf = new Map<string, (number | undefined)[]>()
    for (const [row, name] of labels.entries()) {
      const instant = timeOfCell(cells[row]!)
      if (instant === undefined) continue
      const at = position.get(instant)!
      texts[at] = cells[row]!.slice(1, -1)
      const line = rowsOf.get(name) ?? []
      if (line[at] !== undefined) {
        return {
          reason:
            'Several rows have the same time; use `summarize … by bin(_time, 5m)` to combine them.',
        }
      }
      line[at] = row
      rowsOf.set(name, line)
    }
    if (rowsOf.size * 2 > labels.length) {
      return {
        reason:
          'Nearly every row would be a separate line; use `summarize … by bin(_time, 5m)` to group them.',
      }
    }
    const first = times[0]!
    const isBinned = buckets?.field === fields[timeIndex]!.name
    const step = isBinned ? buckets.size : Number.POSITIVE_INFINITY
    return values.map((column) => ({
      kind: 'lines',
      ...heading(column),
      times: times.map((instant, at) => ({
        after: Number(instant - first) / 1e6,
        text: texts[at]!,
        isAfterGap: Number(instant - times[Math.max(0, at - 1)]!) > step,
      })),
      lines: [...rowsOf].map(([name, ofLine]) => ({
        name,
        values: times.map((_, at) => {
          const row = ofLine[at]
          return row === undefined ? undefined : drawnNumber(columns[column]![row]!)
        }),
      })),
    }))
  }

  function heading(column: number): { readonly name: string; readonly unit: Unit } {
    const { name, type } = fields[column]!
    return { name: escapeControls(name), unit: type === 'timespan' ? 'timespan' : 'number' }
  }

  /**
   * Returns the index of the time axis: the column of the bins, else of the groups, else `_time`, else the first column
   * of times.
   */
  function timeColumn(): number | undefined {
    const isTime = (index: number) =>
      fields[index]?.type === 'datetime' && columns[index]!.some((cell) => cell !== 'null')
    const named = [
      ({ name }: TableField) => name === buckets?.field,
      isGroup,
      ({ name }: TableField) => name === '_time',
      () => true,
    ]
    for (const isNamed of named) {
      const found = fields.findIndex((field, index) => isNamed(field) && isTime(index))
      if (found !== -1) return found
    }
    return undefined
  }

  /** Returns the indices of the columns of numbers; only the aggregations, if the table has any. */
  function valueColumns(): readonly number[] {
    const hasAggregates = fields.some(({ agg }) => agg !== undefined)
    const numeric = indicesOf(
      (field, index) => index !== time && isNumericColumn(columns[index]!) && !isGroup(field),
    )
    if (hasAggregates) return numeric.filter((index) => fields[index]!.agg !== undefined)
    // Without groups and other columns, the first column of numbers names the rows.
    const hasNames = time !== undefined || groups.length > 0 || numeric.length < fields.length
    return hasNames ? numeric : numeric.slice(1)
  }

  function isName(field: TableField, index: number): boolean {
    if (index === time || values.includes(index)) return false
    return groups.length > 0 ? isGroup(field) : field.type !== 'datetime'
  }

  function indicesOf(fits: (field: TableField, index: number) => boolean): readonly number[] {
    return fields.flatMap((field, index) => (fits(field, index) ? [index] : []))
  }
}

function distinctTimes(cells: readonly JsonText[]): readonly bigint[] {
  const instants = new Set(cells.map(timeOfCell).filter((instant) => instant !== undefined))
  return [...instants].sort((a, b) => (a < b ? -1 : 1))
}
