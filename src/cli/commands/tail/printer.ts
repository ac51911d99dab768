import { inTimeZone } from '../../../render/in-time-zone.js'
import { renderPieces } from '../../../render/render.js'
import { writeText } from '../../../render/write.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import type { Context } from '../../context.js'
import { columnNames, selectColumns, withArrivalLast } from '../../output/columns.js'
import { usesColor } from '../../terminal/color.js'

/** The formats that print events one by one. */
export const TAIL_FORMATS = ['line', 'ndjson', 'record'] as const

/** The output flags. */
export interface EventFlags {
  readonly output?: (typeof TAIL_FORMATS)[number]
  /** Comma-separated names. */
  readonly columns?: string
  readonly timezone?: TimeZone
}

/** Returns a function that prints events. */
export function eventPrinter(
  flags: EventFlags,
  { io, flags: shared }: Context,
): (table: Table) => Promise<void> {
  const { stdout } = io
  const isTerminal = stdout.isTTY === true
  const format = flags.output ?? (isTerminal ? 'line' : 'ndjson')
  const look = { color: usesColor(stdout, shared(), io.env), isTerminal }
  return async (table) => {
    const shown = selected(isTerminal ? withArrivalLast(table) : table, flags)
    if (format !== 'line') {
      const options = {
        ...look,
        format,
        header: true,
        width: isTerminal ? stdout.columns : undefined,
      }
      return await writeText(stdout, await renderPieces([shown], options))
    }
    const { renderEventLines } = await import('../../../render/event-line.js')
    await writeText(stdout, await renderEventLines(shown, look))
  }
}

/** Selects columns. Unknown names are ignored, because a later event may have the field. */
function selected(table: Table, { columns, timezone }: EventFlags): Table {
  const known = table.fields.map(({ name }) => name)
  const wanted =
    columns === undefined ? known : columnNames(columns).filter((name) => known.includes(name))
  const chosen = columns === undefined ? table : selectColumns(table, wanted)
  return timezone === undefined ? chosen : inTimeZone(chosen, timezone)
}
