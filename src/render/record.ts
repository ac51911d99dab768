import { grouped } from '../text/grouped.js'
import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/query.js'
import { fitText } from './fit-text.js'
import { shownCell } from './layout.js'
import type { RenderOptions } from './render.js'
import { visible } from './visible.js'

const WIDEST_RULE = 80

/** Each row as a block with a line for each field that has a value; values are never cut. */
export function* renderRecords(
  tables: readonly Table[],
  { width = WIDEST_RULE }: RenderOptions,
): Iterable<string> {
  let number = 0
  for (const { fields, columns } of tables) {
    const names = fields.map(({ name }) => visible(name))
    const filled = columns.map((column) => column.some((cell) => cell !== 'null'))
    const nameWidth = Math.max(...names.filter((_, i) => filled[i]).map(textWidth), 0)
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      number += 1
      yield `${`── ${number} `.padEnd(Math.min(width, WIDEST_RULE), '─')}\n`
      let empty = 0
      for (const [index, name] of names.entries()) {
        const cell = columns[index]![row]!
        // Of a dataset's thousands of fields an event has a few.
        if (cell === 'null') empty += 1
        else
          yield `${`${fitText(name, nameWidth, 'left')}  ${shownCell(cell, fields[index]?.type ?? '')}`.trimEnd()}\n`
      }
      if (empty > 0) yield emptyLine(empty)
    }
  }
}

function emptyLine(count: number): string {
  const fields = count === 1 ? '1 field' : `${grouped(count)} fields`
  return `… and ${fields} without a value\n`
}
