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
  const found = new Set(cells.map(kindOf))
  found.delete('null')
  const isOnly = (...kinds: readonly Kind[]) => [...found].every((kind) => kinds.includes(kind))
  if (found.size === 0) return EMPTY_TYPES[type] ?? 'String'
  if (
    type === 'datetime' &&
    cells.every((cell) => cell === 'null' || timeOfCell(cell) !== undefined)
  )
    return 'DateTime64'
  if (isOnly('bool')) return 'Bool'
  if (isOnly('int') && type !== 'float') return integerType(cells)
  if (isOnly('int', 'real')) return cells.every(isDouble) ? 'Float64' : 'String'
  return 'String'
}

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

type Kind = 'null' | 'bool' | 'int' | 'real' | 'string' | 'nested'

function kindOf(cell: JsonText): Kind {
  switch (cell[0]) {
    case 'n':
      return 'null'
    case 't':
    case 'f':
      return 'bool'
    case '"':
      return 'string'
    case '[':
    case '{':
      return 'nested'
    default:
      return /^-?\d+$/.test(cell) ? 'int' : 'real'
  }
}

/** The types of columns that have no value. */
const EMPTY_TYPES: Readonly<Record<string, ParquetType>> = {
  integer: 'Int64',
  timespan: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  datetime: 'DateTime64',
}

function integerType(cells: readonly JsonText[]): ParquetType {
  let least = 0n
  let most = 0n
  for (const cell of cells) {
    if (cell === 'null') continue
    const value = BigInt(cell)
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least >= INT64.least && most <= INT64.most) return 'Int64'
  return least >= 0n && most <= UINT64_MOST ? 'UInt64' : 'String'
}

/** True for a number that a double holds: an integer exactly, a fraction as well as any double can. */
function isDouble(cell: JsonText): boolean {
  if (cell === 'null') return true
  const value = Number(cell)
  if (!Number.isFinite(value)) return false
  return !/^-?\d{16,}$/.test(cell) || BigInt(cell) === BigInt(value)
}
