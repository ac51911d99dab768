// Counts the events of a query over time, for the bars above the lines.

import { isNumber } from '../../../render/cell.js'
import { roundDuration } from '../../../render/chart/scale.js'
import { columnOf, type Table, type TableField } from '../../../wire/http/tabular-result.js'
import { formatInOneUnit } from '../../../wire/time/duration.js'
import { timeOfCell } from '../../../wire/time/timestamp.js'
import type { AskTable } from '../../query/ask-rows.js'
import { levelCondition } from './levels.js'
import { unsortedApl, type ViewQuery } from './query.js'
import type { ViewRow } from './row.js'

/** The numbers of events in equal steps of time. */
export interface Histogram {
  /** The beginning of the first bar, in nanoseconds since 1970. */
  readonly start: bigint
  readonly step: bigint
  readonly bars: readonly Bar[]
}

interface Bar {
  readonly events: number
  readonly errors: number
  readonly warnings: number
}

const NO_EVENTS: Bar = { events: 0, errors: 0, warnings: 0 }

interface HistogramOptions {
  readonly query: ViewQuery
  /** The fields that identify errors and warnings. */
  readonly levels: readonly TableField[]
  /** The maximum number of bars. */
  readonly most: number
  readonly ask: AskTable
}

/** Counts the events of a query from the first to the last; undefined when they have no times. */
export async function readHistogram(options: HistogramOptions): Promise<Histogram | undefined> {
  const { query, levels, most, ask } = options
  const events = unsortedApl(query)
  const range = await ask(`${events} | summarize first_ = min(_time), last_ = max(_time)`, 1)
  const [first, last] = (range?.columns ?? []).map(([cell]) => timeOfCell(cell))
  if (first === undefined || last === undefined) return undefined
  // Bars begin at round times, so the first and the last bar may be partly outside of the range.
  const steps = BigInt(Math.max(1, most - 2))
  const step = roundDuration((last - first + steps - 1n) / steps)
  const counted = ['events_ = count()']
  if (levels.length > 0) {
    counted.push(`errors_ = countif(${levelCondition('error', levels)})`)
    counted.push(`warnings_ = countif(${levelCondition('warning', levels)})`)
  }
  const apl = `${events} | summarize ${counted.join(', ')} by start_ = bin(_time, ${formatInOneUnit(step)}) | sort by start_ asc`
  // Events that arrived since the range was read may be years away from it. The next count includes them.
  const isCounted = (start: bigint) => start <= last && start + step > first
  return histogramOf(await ask(apl, 2 * most), step, isCounted)
}

function histogramOf(
  table: Table | undefined,
  step: bigint,
  isCounted: (start: bigint) => boolean,
): Histogram | undefined {
  const times = (columnOf(table, 'start_') ?? []).map(timeOfCell)
  const starts = times.map((at) => (at !== undefined && isCounted(at) ? at : undefined))
  const known = starts.flatMap((start) => start ?? [])
  const [start] = known
  const end = known.at(-1)
  if (start === undefined || end === undefined) return undefined
  const bars = Array<Bar>(Number((end - start) / step) + 1).fill(NO_EVENTS)
  const [events, errors, warnings] = ['events_', 'errors_', 'warnings_'].map((name) =>
    columnOf(table, name),
  )
  for (const [row, at] of starts.entries()) {
    if (at === undefined) continue
    bars[Number((at - start) / step)] = {
      events: numberOf(events?.[row]),
      errors: numberOf(errors?.[row]),
      warnings: numberOf(warnings?.[row]),
    }
  }
  return { start, step, bars }
}

function numberOf(cell: string | undefined): number {
  return cell !== undefined && isNumber(cell) ? Number(cell) : 0
}

/** Returns the time of a row in nanoseconds since 1970. */
export function instantOfRow(row: ViewRow | undefined): bigint | undefined {
  return timeOfCell(row?.cells.get('_time'))
}
