import { renderEventLines } from '../../render/event-line.js'
import { renderPieces } from '../../render/format.js'
import { highlight, type Needle } from '../../render/highlight.js'
import { type Paint, paintOf } from '../../render/paint.js'
import { writeText } from '../../render/write.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { type ShownFlags, shownTable } from '../output/columns.js'
import { type Look, lookOf } from '../output/look.js'
import { withRows } from './event-position.js'
import type { LiveEvent } from './live.js'
import { type ShownEvent, withMatchColumn, withMatchSign } from './table.js'

/** The formats that print events one by one. */
export const TAIL_FORMATS = ['line', 'ndjson', 'record'] as const

export interface EventFlags extends Omit<ShownFlags, 'arrivalLast'> {
  readonly output?: (typeof TAIL_FORMATS)[number]
  /** A string to highlight in colored output. */
  readonly found?: Needle | undefined
}

export function eventPrinter(
  flags: EventFlags,
  context: Context,
): (table: Table, marks?: readonly LiveEvent[]) => Promise<void> {
  const { stdout } = context.io
  const look = lookOf(stdout, context)
  const { isTerminal } = look
  const format = flags.output ?? (isTerminal ? 'line' : 'ndjson')
  async function marked(pieces: Iterable<string>): Promise<Iterable<string>> {
    const paint = flags.found === undefined ? undefined : paintOf(look.color)
    return paint === undefined ? pieces : highlighted(pieces, flags.found!, paint)
  }
  return async (table, marks) => {
    // Unknown columns are ignored, because a later event may have the field.
    const shown = shownTable(table, { ...flags, arrivalLast: isTerminal })
    if (format === 'ndjson') {
      const rows = marks === undefined ? shown : withMatchColumn(shown, marks)
      return await writeText(stdout, await renderPieces([rows], { ...look, format, header: true }))
    }
    if (marks !== undefined) {
      const pieces = await markedPieces(shown, marks, { ...look, format })
      return await writeText(stdout, await marked(pieces))
    }
    if (format === 'record') {
      const options = { ...look, format, header: true }
      return await writeText(stdout, await marked(await renderPieces([shown], options)))
    }
    await writeText(stdout, await marked(await renderEventLines(shown, look)))
  }
}

async function markedPieces(
  table: Table,
  marks: readonly LiveEvent[],
  look: Look & { readonly format: 'line' | 'record' },
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

/** The line between groups of consecutive events. */
export const SEPARATOR = '--\n'

/** Renders events as lines. The lines of matches begin with `>`, other lines with a space. */
export async function markedLines(
  table: Table,
  events: readonly Pick<ShownEvent, 'isMatch'>[],
  look: Pick<Look, 'color' | 'isTerminal'>,
): Promise<readonly string[]> {
  const paint = paintOf(look.color) ?? ((_, text) => text)
  const lines = [...(await renderEventLines(table, look))]
  return lines.map(
    (line, index) => `${events[index]?.isMatch ? paint('heading', '>') : ' '} ${line}`,
  )
}

function* highlighted(pieces: Iterable<string>, found: Needle, paint: Paint): Iterable<string> {
  for (const piece of pieces) yield highlight(piece, found, paint)
}
