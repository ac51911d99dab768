import { renderEventLines } from '../../render/event-line.js'
import { paintOf } from '../../render/paint.js'
import type { Color } from '../../render/terminal-text.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { ShownEvent } from './table.js'

/** The line between groups of consecutive events. */
export const SEPARATOR = '--\n'

/** Renders events as lines. The lines of matches begin with `>`, other lines with a space. */
export async function markedLines(
  table: Table,
  events: readonly Pick<ShownEvent, 'isMatch'>[],
  look: { readonly color: Color; readonly isTerminal: boolean },
): Promise<readonly string[]> {
  const paint = paintOf(look.color) ?? ((_, text) => text)
  const lines = [...(await renderEventLines(table, look))]
  return lines.map(
    (line, index) => `${events[index]?.isMatch ? paint('heading', '>') : ' '} ${line}`,
  )
}
