import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/query.js'
import { fitText } from './fit-text.js'
import { shownCell } from './layout.js'
import type { RenderOptions } from './render.js'
import { visible } from './visible.js'

const WIDEST_RULE = 80

/** Each row as a block with a line for each field; nothing is cut. */
export function* renderRecords(
  tables: readonly Table[],
  { width = WIDEST_RULE }: RenderOptions,
): Iterable<string> {
  let number = 0
  for (const { fields, columns } of tables) {
    const names = fields.map(({ name }) => visible(name))
    const nameWidth = Math.max(...names.map(textWidth), 0)
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      number += 1
      yield `${`── ${number} `.padEnd(Math.min(width, WIDEST_RULE), '─')}\n`
      for (const [index, name] of names.entries()) {
        const value = shownCell(columns[index]![row]!)
        yield `${`${fitText(name, nameWidth, 'left')}  ${value}`.trimEnd()}\n`
      }
    }
  }
}
