import { isNumber } from '../../../render/cell.js'
import { columnOf, type Table, type TableField } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { formatTimestamp, timeOfCell } from '../../../wire/time/timestamp.js'
import { UsageError } from '../../error/usage-error.js'
import { type ComparedColumns, comparedColumns } from './columns.js'

/** The groups of two results side by side. */
export interface Comparison {
  readonly table: Table
  /** The numbers of groups that are only in one of the results. */
  readonly added: number
  readonly vanished: number
  /** The number of groups in both results whose values differ. */
  readonly changed: number
  /** Columns that are neither groups nor numbers. */
  readonly others: readonly string[]
}

/** A group and its values in both results; undefined for a result without the group. */
interface Pair {
  readonly key: readonly JsonText[]
  readonly before: readonly JsonText[] | undefined
  readonly after: readonly JsonText[] | undefined
}

/** Aggregations that are 0 without rows; all others are null. */
const ZERO_OF_NONE = /^(?:count|countif|distinct|distinctif|sum|sumif|rate)$/

/**
 * Joins two results by their groups. `shift` is added to the times of the first result, in nanoseconds. New groups come first,
 * then vanished groups, then the others, the largest difference first; with time bins the rows are in order of time. Throws
 * a `UsageError` when the results can't be compared.
 */
export function compare(before: Table, after: Table, shift: bigint): Comparison {
  const columns = comparedColumns(before, after)
  checkBins(columns, shift)
  const earlier = rowsByKey(before, columns, { shift, side: 'before' })
  const later = rowsByKey(after, columns, { shift: 0n, side: 'after' })
  const empty = columns.values.map((name) => emptyValue(name, [after, before]))
  const pairs = [...new Set([...later.keys(), ...earlier.keys()])].map((key): Pair => {
    const found = later.get(key) ?? earlier.get(key)!
    return { key: found.key, before: earlier.get(key)?.values, after: later.get(key)?.values }
  })
  const ordered = pairs.sort(columns.time === undefined ? byChange : byTime(columns))
  return {
    table: tableOf(ordered, { columns, empty, after }),
    added: pairs.filter((pair) => pair.before === undefined).length,
    vanished: pairs.filter((pair) => pair.after === undefined).length,
    changed: pairs.filter(isChanged).length,
    others: columns.others,
  }
}

/** Throws a `UsageError` when the time bins of the two results do not align. */
function checkBins({ time }: ComparedColumns, shift: bigint): void {
  if (time === undefined || shift % BigInt(time.size) === 0n) return
  throw new UsageError(
    `The time that \`--against\` goes back is not a multiple of the time bins of the query. Use a shorter \`bin\` or another \`--against\`.`,
  )
}

interface Row {
  readonly key: readonly JsonText[]
  readonly values: readonly JsonText[]
}

function rowsByKey(
  table: Table,
  { keys, values, time }: ComparedColumns,
  { shift, side }: { readonly shift: bigint; readonly side: string },
): ReadonlyMap<string, Row> {
  const column = (name: string) => columnOf(table, name)!
  const keyColumns = keys.map((name) => ({ cells: column(name), isTime: name === time?.name }))
  const valueColumns = values.map(column)
  const rows = new Map<string, Row>()
  for (let row = 0; row < (table.columns[0]?.length ?? 0); row++) {
    const key = keyColumns.map(({ cells, isTime }) =>
      isTime ? later(cells[row]!, shift) : cells[row]!,
    )
    const id = key.join('\n')
    if (rows.has(id)) throw severalRows(keys, key, side)
    rows.set(id, { key, values: valueColumns.map((cells) => cells[row]!) })
  }
  return rows
}

function severalRows(keys: readonly string[], key: readonly JsonText[], side: string): UsageError {
  const shown = keys.map((name, i) => `${name}=${key[i]}`).join(', ')
  const which = keys.length === 0 ? 'rows without groups' : `rows with ${shown}`
  return new UsageError(
    `The result \`${side}\` has several ${which}. Each group may have only one row: keep all columns of \`by\` in the result.`,
  )
}

function later(cell: JsonText, shift: bigint): JsonText {
  const time = timeOfCell(cell)
  return time === undefined || shift === 0n ? cell : `"${formatTimestamp(time + shift)}"`
}

/** Returns the value of a group without rows: 0 for counts and sums, otherwise null. */
function emptyValue(name: string, tables: readonly Table[]): JsonText {
  const fields = tables.flatMap((table) => table.fields.filter((field) => field.name === name))
  return fields.some(({ agg }) => agg !== undefined && ZERO_OF_NONE.test(agg.name)) ? '0' : 'null'
}

function isChanged({ before, after }: Pair): boolean {
  return before !== undefined && after !== undefined && before.some((cell, i) => cell !== after[i])
}

/** Orders new groups first, then vanished groups, then the others; within each, the largest value or difference first. */
function byChange(a: Pair, b: Pair): number {
  const sign = (pair: Pair) => (pair.before === undefined ? 0 : pair.after === undefined ? 1 : 2)
  const size = ({ before, after }: Pair) =>
    before && after ? differenceOf(before[0]!, after[0]!) : (after ?? before)![0]!
  return sign(a) - sign(b) || byMagnitude(size(a), size(b)) || compareKeys(a.key, b.key)
}

function byTime({ keys, time }: ComparedColumns): (a: Pair, b: Pair) => number {
  const at = keys.indexOf(time!.name)
  return (a, b) => compareKeys([a.key[at]!], [b.key[at]!]) || byChange(a, b)
}

function compareKeys(a: readonly JsonText[], b: readonly JsonText[]): number {
  const at = a.findIndex((cell, i) => cell !== b[i])
  return at === -1 ? 0 : a[at]! < b[at]! ? -1 : 1
}

/** Returns the table of the pairs; `empty` has the value of each column in a result without the group. */
function tableOf(
  pairs: readonly Pair[],
  { columns, empty, after }: { columns: ComparedColumns; empty: readonly JsonText[]; after: Table },
): Table {
  const { keys, values } = columns
  const field = (name: string) => after.fields.find((one) => one.name === name)!
  const name = (word: string, value: string) => (values.length === 1 ? word : `${word}_${value}`)
  const groups = keys.map((key, i) => ({
    field: { name: key, type: field(key).type },
    cells: pairs.map((pair) => pair.key[i]!),
  }))
  const numbers = values.flatMap((value, i) => {
    const before = pairs.map((pair) => (pair.before ?? empty)[i]!)
    const later = pairs.map((pair) => (pair.after ?? empty)[i]!)
    const { type } = field(value)
    const agg = { name: 'difference', fields: [], args: [] }
    const both = (of: (before: JsonText, after: JsonText) => JsonText) =>
      before.map((cell, row) => of(cell, later[row]!))
    return [
      { field: { name: name('before', value), type }, cells: before },
      { field: { name: name('after', value), type }, cells: later },
      { field: { name: name('difference', value), type, agg }, cells: both(differenceOf) },
      { field: { name: name('ratio', value), type: 'float' }, cells: both(ratioOf) },
    ]
  })
  const all: readonly { field: TableField; cells: readonly JsonText[] }[] = [...groups, ...numbers]
  return {
    name: '0',
    sources: [],
    fields: all.map((one) => one.field),
    order: [],
    groups: keys.filter((key) => key !== columns.time?.name).map((key) => ({ name: key })),
    buckets: columns.time && { field: columns.time.name, size: columns.time.size },
    columns: all.map((one) => one.cells),
  }
}

const NULL = 'null'

/** Returns `after - before`; null when one of them is null. */
function differenceOf(before: JsonText, after: JsonText): JsonText {
  if (!isNumber(before) || !isNumber(after)) return NULL
  if (isWhole(before) && isWhole(after)) return String(BigInt(after) - BigInt(before))
  return finite(Number(after) - Number(before))
}

/** Returns `after / before`; null when one of them is null, or `before` is 0. */
function ratioOf(before: JsonText, after: JsonText): JsonText {
  if (!isNumber(before) || !isNumber(after) || Number(before) === 0) return NULL
  return finite(Number(after) / Number(before))
}

/** Compares two cells by their absolute value, the larger one first; null is the smallest. */
function byMagnitude(a: JsonText, b: JsonText): number {
  return magnitude(b) - magnitude(a)
}

function magnitude(cell: JsonText): number {
  return isNumber(cell) ? Math.abs(Number(cell)) : -1
}

function isWhole(cell: JsonText): boolean {
  return /^-?\d+$/.test(cell)
}

function finite(value: number): JsonText {
  return Number.isFinite(value) ? String(value) : NULL
}
