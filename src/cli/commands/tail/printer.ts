import { highlight, type Needle } from '../../../render/highlight.js'
import { inTimeZone } from '../../../render/in-time-zone.js'
import { openPaint, type Paint } from '../../../render/paint.js'
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
  /** Columns that are not printed, because the query does not select them. */
  readonly hidden?: readonly string[]
  /** A string to mark in the output, where it is colored. */
  readonly found?: Needle | undefined
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
  async function marked(pieces: Iterable<string>): Promise<Iterable<string>> {
    const paint = flags.found === undefined ? undefined : await openPaint(look.color)
    return paint === undefined ? pieces : highlighted(pieces, flags.found!, paint)
  }
  return async (table) => {
    const shown = selected(isTerminal ? withArrivalLast(table) : table, flags)
    if (format !== 'line') {
      const options = {
        ...look,
        format,
        header: true,
        width: isTerminal ? stdout.columns : undefined,
      }
      const pieces = await renderPieces([shown], options)
      return await writeText(stdout, format === 'record' ? await marked(pieces) : pieces)
    }
    const { renderEventLines } = await import('../../../render/event-line.js')
    await writeText(stdout, await marked(await renderEventLines(shown, look)))
  }
}

function* highlighted(pieces: Iterable<string>, found: Needle, paint: Paint): Iterable<string> {
  for (const piece of pieces) yield highlight(piece, found, paint)
}

/** Selects columns. Unknown names are ignored, because a later event may have the field. */
function selected(table: Table, { columns, timezone, hidden = [] }: EventFlags): Table {
  const known = table.fields.map(({ name }) => name).filter((name) => !hidden.includes(name))
  const wanted =
    columns === undefined ? known : columnNames(columns).filter((name) => known.includes(name))
  const isWhole = columns === undefined && hidden.length === 0
  const chosen = isWhole ? table : selectColumns(table, wanted)
  return timezone === undefined ? chosen : inTimeZone(chosen, timezone)
}
