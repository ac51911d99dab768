import { isNumericColumn } from '../../../render/table-layout.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import { UsageError } from '../../error/usage-error.js'

export interface ComparedColumns {
  /** The columns that both results have and that identify a row. */
  readonly keys: readonly string[]
  /** The column of time bins, one of the keys. */
  readonly time?: { readonly name: string; readonly size: number }
  /** The columns of numbers. */
  readonly values: readonly string[]
  /** The other columns, which are not compared. */
  readonly others: readonly string[]
}

const EXAMPLE = '`evq diff "logs | summarize count() by service" --since 1h --against 1d`'

/** Returns the columns to compare. Throws a `UsageError` when the results are not aggregated. */
export function comparedColumns(before: Table, after: Table): ComparedColumns {
  const names = after.fields.map(({ name }) => name)
  const shared = names.filter((name) => before.fields.some((field) => field.name === name))
  const lost = keysOf(after).find((name) => !keysOf(before).includes(name))
  if (lost !== undefined || keysOf(before).length !== keysOf(after).length) {
    throw new UsageError(
      `The two results have different groups: ${listed(keysOf(before))} before, ${listed(keysOf(after))} after. Give both queries the same \`by\`.`,
    )
  }
  if (!isAggregated(after) && !isAggregated(before)) {
    throw new UsageError(
      `The query has no \`summarize\`: \`diff\` compares aggregated rows, not events. One that works: ${EXAMPLE}.`,
    )
  }
  const keys = shared.filter((name) => keysOf(after).includes(name))
  const rest = shared.filter((name) => !keys.includes(name))
  const values = rest.filter((name) => isNumeric(name, [before, after]))
  if (values.length === 0) {
    throw new UsageError(
      `There is no column of numbers to compare; the result has ${listed(names)}. One that works: ${EXAMPLE}.`,
    )
  }
  const time = after.buckets ?? before.buckets
  return {
    keys,
    values,
    others: names.filter((name) => !keys.includes(name) && !values.includes(name)),
    ...(time !== undefined &&
      keys.includes(time.field) && { time: { name: time.field, size: time.size } }),
  }
}

/** Returns the names of the columns that are groups or the time bin. */
function keysOf({ fields, groups, buckets }: Table): readonly string[] {
  const keys = [...groups.map(({ name }) => name), ...(buckets ? [buckets.field] : [])]
  return fields.map(({ name }) => name).filter((name) => keys.includes(name))
}

/** True for aggregated rows. A service may omit the description of aggregations; then a single row of numbers counts. */
function isAggregated(table: Table): boolean {
  const { fields, columns, groups, buckets } = table
  if (groups.length > 0 || buckets !== undefined) return true
  if (fields.some(({ agg }) => agg !== undefined)) return true
  return columns[0]?.length === 1 && columns.every(isNumericColumn)
}

/** True when a column has numbers in both tables. Without values, as in empty results, the type decides. */
function isNumeric(name: string, tables: readonly Table[]): boolean {
  const columns = tables.map((table) => {
    const at = table.fields.findIndex((field) => field.name === name)
    return { field: table.fields[at]!, cells: table.columns[at]! }
  })
  const hasNumbers = columns.some(({ cells }) => isNumericColumn(cells))
  const isOther = columns.some(
    ({ cells }) => !isNumericColumn(cells) && cells.some((cell) => cell !== 'null'),
  )
  const isNumber = columns.some(({ field }) => /^(?:integer|float|timespan)$/.test(field.type))
  return !isOther && (hasNumbers || isNumber)
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ')
}
