import { suggestion } from '../../text/suggest.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import type { TimeZone } from '../../wire/time/time-zone.js'
import { formatTimestamp, timeOfCell } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'
import type { PrintFlags } from './flags.js'

/** The flags that select and convert columns. */
export interface ShownFlags extends Pick<PrintFlags, 'columns' | 'timezone' | 'arrivalLast'> {
  /** Columns that are not shown, because the query does not select them. */
  readonly hidden?: readonly string[]
}

/** Returns a table with the columns and times that the flags select. Unknown names are skipped. */
export function shownTable(table: Table, flags: ShownFlags): Table {
  const { columns, hidden = [], timezone, arrivalLast } = flags
  const ordered = arrivalLast ? withArrivalLast(table) : table
  const names = columns ?? ordered.fields.map(({ name }) => name)
  const isWhole = columns === undefined && hidden.length === 0
  const chosen = isWhole
    ? ordered
    : selectColumns(
        ordered,
        names.filter((name) => !hidden.includes(name)),
      )
  return timezone === undefined ? chosen : inTimeZone(chosen, timezone)
}

/** Returns tables with the columns and times that the flags select. Throws a `UsageError` for a column that no table has. */
export function shownTables(tables: readonly Table[], flags: ShownFlags): readonly Table[] {
  if (flags.columns !== undefined) checkColumns(tables, flags.columns)
  return tables.map((table) => shownTable(table, flags))
}

/** Throws a `UsageError` for a name that no table has. */
export function checkColumns(
  tables: readonly Pick<Table, 'fields'>[],
  wanted: readonly string[],
): void {
  const known = [...new Set(tables.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown === undefined || tables.length === 0) return
  const help = suggestion(unknown, known, `It has ${known.join(', ')}.`)
  throw new UsageError(`The result has no column \`${unknown}\`. ${help}`)
}

/** Returns a table with the time of arrival as the last column, because users rarely need it. */
function withArrivalLast(table: Table): Table {
  const names = table.fields.map(({ name }) => name)
  if (!names.includes('_sysTime') || names.at(-1) === '_sysTime') return table
  return selectColumns(table, [...names.filter((name) => name !== '_sysTime'), '_sysTime'])
}

/** Returns a table with the named columns, in the order of the names; unknown names are skipped. */
function selectColumns(table: Table, names: readonly string[]): Table {
  const indices = names
    .map((name) => table.fields.findIndex((field) => field.name === name))
    .filter((index) => index !== -1)
  return {
    ...table,
    fields: indices.map((index) => table.fields[index]!),
    columns: indices.map((index) => table.columns[index] ?? []),
  }
}

function inTimeZone(table: Table, zone: TimeZone): Table {
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
