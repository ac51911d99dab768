import type { Table } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import type { TimeZone } from '../wire/time/time-zone.js'
import { formatTimestamp, timeOfCell } from '../wire/time/timestamp.js'

export function inTimeZone(table: Table, zone: TimeZone): Table {
  const columns = table.columns.map((cells, index) =>
    table.fields[index]?.type === 'datetime' ? cells.map((cell) => moved(cell, zone)) : cells,
  )
  return { ...table, columns }
}

function moved(cell: JsonText, zone: TimeZone): JsonText {
  const instant = timeOfCell(cell)
  if (instant === undefined) return cell
  return `"${formatTimestamp(instant, zone.offsetAt(instant))}"`
}
