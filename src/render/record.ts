import { counted } from '../text/integer.js'
import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/http/tabular-result.js'
import { escapeControls } from './escape-controls.js'
import { fitText } from './fit-text.js'
import { paintOf } from './paint.js'
import type { RenderOptions } from './renderer.js'
import { shownCell } from './table-layout.js'
import { tonesOf } from './tone.js'

const MAX_RULE_WIDTH = 80

/** Renders each row as a block with one line per field that has a value; values are never truncated. */
export function* renderRecords(
  tables: readonly Table[],
  { width = MAX_RULE_WIDTH, color, before = 0 }: RenderOptions,
): Iterable<string> {
  const paint = paintOf(color)
  let number = before
  for (const { fields, columns } of tables) {
    const names = fields.map(({ name }) => escapeControls(name))
    const tones = fields.map((field, index) => tonesOf(field, columns[index]!))
    const filled = columns.map((column) => column.some((cell) => cell !== 'null'))
    const nameWidth = Math.max(...names.filter((_, i) => filled[i]).map(textWidth), 0)
    const labels = names.map((name) => paint('heading', fitText(name, nameWidth, 'left')))
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      number += 1
      yield `${paint('faint', `── ${number} `.padEnd(Math.min(width, MAX_RULE_WIDTH), '─'))}\n`
      let empty = 0
      for (const [index, label] of labels.entries()) {
        const cell = columns[index]![row]!
        // A dataset may have thousands of fields, of which an event has a few.
        if (cell === 'null') empty += 1
        else {
          const text = shownCell(cell, fields[index]?.type ?? '')
          yield `${label}  ${paint(tones[index]!(row), text)}`.trimEnd().concat('\n')
        }
      }
      if (empty > 0) yield `${paint('faint', `… and ${counted(empty, 'field')} without a value`)}\n`
    }
  }
}
