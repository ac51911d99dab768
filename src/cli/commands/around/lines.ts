import { renderEventLines } from '../../../render/event-line.js'
import { openPaint } from '../../../render/paint.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { ShownEvent } from './passages.js'

/** The line between groups of events that do not follow each other. */
export const SEPARATOR = '--\n'

/** Renders events as lines: matches begin with `>`, the events around them with a space. */
export async function markedLines(
  table: Table,
  events: readonly Pick<ShownEvent, 'isMatch'>[],
  look: { readonly color: boolean; readonly isTerminal: boolean },
): Promise<readonly string[]> {
  const paint = (await openPaint(look.color)) ?? ((_, text) => text)
  const lines = [...(await renderEventLines(table, look))]
  return lines.map(
    (line, index) => `${events[index]?.isMatch ? paint('heading', '>') : ' '} ${line}`,
  )
}
