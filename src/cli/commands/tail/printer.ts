import { highlight, type Needle } from '../../../render/highlight.js'
import { inTimeZone } from '../../../render/in-time-zone.js'
import { type Paint, paintOf } from '../../../render/paint.js'
import { renderPieces } from '../../../render/render.js'
import type { Color } from '../../../render/terminal-text.js'
import { writeText } from '../../../render/write.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import type { Context } from '../../context.js'
import { columnNames, selectColumns, withArrivalLast } from '../../output/columns.js'
import { colorOf } from '../../terminal/color.js'
import { markedLines, SEPARATOR } from '../around/lines.js'
import type { LiveEvent } from '../around/live.js'
import { withMatchColumn, withMatchSign } from '../around/table.js'
import { withRows } from './poll.js'

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
): (table: Table, marks?: readonly LiveEvent[]) => Promise<void> {
  const { stdout } = io
  const isTerminal = stdout.isTTY === true
  const format = flags.output ?? (isTerminal ? 'line' : 'ndjson')
  const look = { color: colorOf(stdout, shared(), io.env), isTerminal }
  async function marked(pieces: Iterable<string>): Promise<Iterable<string>> {
    const paint = flags.found === undefined ? undefined : paintOf(look.color)
    return paint === undefined ? pieces : highlighted(pieces, flags.found!, paint)
  }
  const width = isTerminal ? stdout.columns : undefined
  return async (table, marks) => {
    const shown = selected(isTerminal ? withArrivalLast(table) : table, flags)
    if (format === 'ndjson') {
      const rows = marks === undefined ? shown : withMatchColumn(shown, marks)
      return await writeText(stdout, await renderPieces([rows], { ...look, format, header: true }))
    }
    if (marks !== undefined) {
      const pieces = await markedPieces(shown, marks, { ...look, format, width })
      return await writeText(stdout, await marked(pieces))
    }
    if (format === 'record') {
      const options = { ...look, format, header: true, width }
      return await writeText(stdout, await marked(await renderPieces([shown], options)))
    }
    const { renderEventLines } = await import('../../../render/event-line.js')
    await writeText(stdout, await marked(await renderEventLines(shown, look)))
  }
}

interface MarkedLook {
  readonly format: 'line' | 'record'
  readonly color: Color
  readonly isTerminal: boolean
  readonly width: number | undefined
}

/** Renders matches and the events around them. */
async function markedPieces(
  table: Table,
  marks: readonly LiveEvent[],
  look: MarkedLook,
): Promise<readonly string[]> {
  const { format } = look
  const separator = (row: number) => (marks[row]?.isApart ? [SEPARATOR] : [])
  if (format === 'line') {
    const lines = await markedLines(table, marks, look)
    return lines.flatMap((line, row) => [...separator(row), line])
  }
  const whole = withMatchSign(table, marks)
  const pieces: string[] = []
  for (const row of marks.keys()) {
    const shown = { ...look, format, header: true }
    pieces.push(...separator(row), ...(await renderPieces([withRows(whole, [row])], shown)))
  }
  return pieces
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
