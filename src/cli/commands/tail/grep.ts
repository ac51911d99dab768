// Finds the text of `--grep`. The search by the service also finds the text in times that are only needed to follow events.

import { cellText } from '../../../render/cell.js'
import type { Needle } from '../../../render/highlight.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { withRows } from '../../around/event-position.js'

/** Returns the needle for a text. The search ignores case unless the text has an upper-case letter. */
export function needleOf(text: string): Needle {
  return { text, isCaseSensitive: /\p{Lu}/u.test(text) }
}

/** Returns the query for events that may have a text in a field. */
export function withText(apl: string, { text, isCaseSensitive }: Needle): string {
  // `search` interprets these characters as wildcards.
  if (/[*?]/.test(text)) {
    const operator = isCaseSensitive ? 'contains_cs' : 'contains'
    return `${apl}\n| where * ${operator} ${JSON.stringify(text)}`
  }
  const kind = isCaseSensitive ? 'case_sensitive' : 'default'
  return `${apl}\n| search kind=${kind} ${JSON.stringify(`*${text}*`)}`
}

/** Returns the rows that have a text in a column that is not hidden. */
export function rowsWithText(
  { fields, columns }: Table,
  needle: Needle,
  hidden: readonly string[],
): ReadonlySet<number> {
  const rows = new Set<number>()
  for (const [index, { name }] of fields.entries()) {
    if (hidden.includes(name)) continue
    for (const [row, cell] of columns[index]!.entries()) if (hasText(cell, needle)) rows.add(row)
  }
  return rows
}

/** Yields the rows that have a text in a column that is not hidden. */
export async function* withTextIn(
  tables: AsyncIterable<Table>,
  needle: Needle,
  hidden: readonly string[],
): AsyncIterable<Table> {
  for await (const table of tables) {
    const rows = rowsWithText(table, needle, hidden)
    if (rows.size > 0)
      yield withRows(
        table,
        [...rows].sort((one, other) => one - other),
      )
  }
}

function hasText(cell: JsonText, { text, isCaseSensitive }: Needle): boolean {
  if (cell === 'null') return false
  const value = cellText(cell) ?? ''
  // Strings in arrays and objects have escapes.
  const texts = value.includes('\\') ? [value, value.replace(/\\(["\\/])/g, '$1')] : [value]
  return texts.some((one) =>
    isCaseSensitive ? one.includes(text) : one.toLowerCase().includes(text.toLowerCase()),
  )
}
