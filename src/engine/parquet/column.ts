import type { TableField } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { timeOfCell } from '../../wire/time/timestamp.js'

export type ParquetType = 'Int64' | 'UInt64' | 'Float64' | 'Bool' | 'String' | 'DateTime64'

const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const UINT64_MOST = 2n ** 64n - 1n

/**
 * Returns the type that holds all values of a column exactly: strings for values of several types, for nested values, and for
 * numbers that no other type holds.
 */
export function parquetType({ type }: TableField, cells: readonly JsonText[]): ParquetType {
  const values = cells.filter((cell) => cell !== 'null')
  if (values.length === 0) return EMPTY_TYPES[type] ?? 'String'
  if (type === 'datetime' && values.every((cell) => timeOfCell(cell) !== undefined)) {
    return 'DateTime64'
  }
  if (values.every((cell) => cell === 'true' || cell === 'false')) return 'Bool'
  if (!values.every((cell) => /^[-\d]/.test(cell))) return 'String'
  if (type !== 'float' && values.every((cell) => INTEGER.test(cell))) return integerType(values)
  return values.every(isDouble) ? 'Float64' : 'String'
}

const INTEGER = /^-?\d+$/

/** Returns the JSON of a value as the engine reads it into a column of this type. */
export function parquetCell(cell: JsonText, type: ParquetType): JsonText {
  if (cell === 'null') return cell
  if (type === 'DateTime64') return String(timeOfCell(cell))
  if (type !== 'String') return cell
  if (!cell.startsWith('"')) return JSON.stringify(cell)
  // A lone surrogate has no UTF-8.
  return /\\ud[89a-f]/i.test(cell)
    ? JSON.stringify(Buffer.from(JSON.parse(cell) as string).toString())
    : cell
}

/** The types of columns that have no value. */
const EMPTY_TYPES: Readonly<Record<string, ParquetType>> = {
  integer: 'Int64',
  timespan: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  datetime: 'DateTime64',
}

function integerType(values: readonly JsonText[]): ParquetType {
  let least = 0n
  let most = 0n
  for (const text of values) {
    const value = BigInt(text)
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least >= INT64.least && most <= INT64.most) return 'Int64'
  return least >= 0n && most <= UINT64_MOST ? 'UInt64' : 'String'
}

/** True for a number that a double holds: an integer exactly, a fraction as well as any double can. */
function isDouble(text: JsonText): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  return !/^-?\d{16,}$/.test(text) || BigInt(text) === BigInt(value)
}
