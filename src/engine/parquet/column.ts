import { MINUS, NINE, POINT, ZERO } from '../../text/bytes.js'
import { printsEqual } from '../../text/decimal.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { timeOfCell } from '../../wire/time/timestamp.js'

export type ParquetType = 'Int64' | 'UInt64' | 'Float64' | 'Bool' | 'String' | 'DateTime64'

/** The types of columns whose values have one type in the interface. */
const DECLARED_TYPES: Readonly<Record<string, ParquetType>> = {
  integer: 'Int64',
  timespan: 'Int64',
  float: 'Float64',
  boolean: 'Bool',
  datetime: 'DateTime64',
  string: 'String',
}

const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const UINT64_MOST = 2n ** 64n - 1n

/**
 * The type that holds all values of a column exactly: strings for values of several types, for nested values, and for numbers that
 * no other type holds.
 */
export class ColumnType {
  private declared: string
  private isEmpty = true
  private areTimes: boolean
  private areBooleans = true
  private areIntegers = true
  private areDoubles = true
  private least = 0n
  private most = 0n

  /** `declared` is the type in the interface. */
  constructor(declared: string) {
    this.declared = declared
    this.areTimes = declared === 'datetime'
  }

  /** Takes the type that further values have in the interface. */
  declare(declared: string): void {
    if (declared === this.declared) return
    this.declared = ''
    this.isEmpty = false
    this.areTimes = this.areBooleans = this.areIntegers = this.areDoubles = false
  }

  /** True when further values can't change the type. */
  get isText(): boolean {
    return !(
      this.isEmpty ||
      this.areTimes ||
      this.areBooleans ||
      this.areIntegers ||
      this.areDoubles
    )
  }

  /** Takes a value that is not null, as JSON. */
  add(bytes: Buffer, start = 0, end = bytes.length): void {
    const number = plainNumber(bytes, start, end)
    if (number === 'fraction') {
      this.addReals()
      return
    }
    this.isEmpty = false
    if (number === 'integer') {
      this.areTimes = this.areBooleans = false
      if (bytes[start] === MINUS && this.least === 0n) this.least = -1n
      return
    }
    const value: JsonText = bytes.toString('utf8', start, end)
    this.areTimes &&= timeOfCell(value) !== undefined
    this.areBooleans &&= value === 'true' || value === 'false'
    this.areDoubles &&= isDouble(value, this.declared)
    this.areIntegers &&= INTEGER.test(value)
    if (this.areIntegers) this.addInteger(BigInt(value))
  }

  /** Takes values that are doubles. */
  addReals(): void {
    this.isEmpty = this.areTimes = this.areBooleans = this.areIntegers = false
  }

  get type(): ParquetType {
    if (this.isEmpty) return DECLARED_TYPES[this.declared] ?? 'String'
    if (this.areTimes) return 'DateTime64'
    if (this.areBooleans) return 'Bool'
    if (this.areIntegers && this.declared !== 'float') return this.integerType()
    return this.areDoubles ? 'Float64' : 'String'
  }

  private addInteger(value: bigint): void {
    if (value < this.least) this.least = value
    if (value > this.most) this.most = value
  }

  private integerType(): ParquetType {
    const { least, most } = this
    if (least >= INT64.least && most <= INT64.most) return 'Int64'
    return least >= 0n && most <= UINT64_MOST ? 'UInt64' : 'String'
  }
}

const INTEGER = /^-?\d+$/
/** Integers of this many digits are exact in every type of numbers. */
const EXACT_DIGITS = 15
/** Numbers of this length are not too large for a double. */
const FINITE_LENGTH = 300

/** Returns the kind of a number without an exponent that all types of numbers of its kind can hold; undefined for other values. */
function plainNumber(
  bytes: Buffer,
  start: number,
  end: number,
): 'integer' | 'fraction' | undefined {
  const first = bytes[start] === MINUS ? start + 1 : start
  const point = digitsEnd(bytes, first, end)
  const digits = point - first
  if (point === end) return digits > 0 && digits <= EXACT_DIGITS ? 'integer' : undefined
  if (bytes[point] !== POINT || digitsEnd(bytes, point + 1, end) < end) return undefined
  return digits > 0 && digits <= FINITE_LENGTH ? 'fraction' : undefined
}

function digitsEnd(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++
  return at
}

/**
 * True for a number that a double holds: a fraction as well as any double can, an integer exactly, or in a column of doubles as the
 * text of the double, which may end in zeros in place of digits.
 */
function isDouble(text: JsonText, declared: string): boolean {
  if (!/^[-\d]/.test(text)) return false
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  if (!/^-?\d{16,}$/.test(text) || BigInt(text) === BigInt(value)) return true
  return declared === 'float' && printsEqual(text)
}
