import { renderEventLines } from '../../render/event-line.js'
import { renderPieces } from '../../render/format.js'
import { highlight, type Needle } from '../../render/highlight.js'
import { type Paint, paintOf } from '../../render/paint.js'
import { rowBytes } from '../../render/transpose/rows.js'
import { writtenResponse } from '../../render/transpose/scan-response.js'
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

  async function rendered(table: Table, marks?: readonly LiveEvent[]): Promise<Iterable<string>> {
    if (format === 'line') {
      if (marks === undefined) return renderEventLines(table, look)
      return apart(markedLines(table, marks, look), marks)
    }
    if (format === 'ndjson') return await ndjson(marks ? withMatchColumn(table, marks) : table)
    const options = { ...look, format, header: true }
    if (marks === undefined) return await renderPieces([table], options)
    const whole = withMatchSign(table, marks)
    const records: string[] = []
    for (const row of marks.keys()) {
      records.push([...(await renderPieces([withRows(whole, [row])], options))].join(''))
    }
    return apart(records, marks)
  }

  return async (table, marks) => {
    // Unknown columns are ignored, because a later event may have the field.
    const pieces = await rendered(shownTable(table, { ...flags, arrivalLast: isTerminal }), marks)
    const needle = format === 'ndjson' || look.color === 'none' ? undefined : flags.found
    await writeText(stdout, needle ? highlighted(pieces, needle, paintOf(look.color)) : pieces)
  }
}

async function ndjson(table: Table): Promise<Iterable<string>> {
  const { NDJSON } = await import('../../render/lines.js')
  return [...rowBytes(NDJSON, writtenResponse({ tables: [table] }), { table: 0 })].map(String)
}

/** The line between groups of consecutive events. */
export const SEPARATOR = '--\n'

function apart(texts: readonly string[], marks: readonly LiveEvent[]): readonly string[] {
  return texts.flatMap((text, row) => (marks[row]?.isApart ? [SEPARATOR, text] : [text]))
}

/** Renders events as lines. The lines of matches begin with `>`, other lines with a space. */
export function markedLines(
  table: Table,
  events: readonly Pick<ShownEvent, 'isMatch'>[],
  look: Pick<Look, 'color' | 'isTerminal'>,
): readonly string[] {
  const paint = paintOf(look.color)
  return [...renderEventLines(table, look)].map(
    (line, index) => `${events[index]?.isMatch ? paint('heading', '>') : ' '} ${line}`,
  )
}

function* highlighted(pieces: Iterable<string>, found: Needle, paint: Paint): Iterable<string> {
  for (const piece of pieces) yield highlight(piece, found, paint)
}
