// Writes numbers and times as ClickHouse does.

import { COLON, MINUS, POINT, UPPER_T, UPPER_Z, ZERO } from '../../../wire/assembly/bytes'
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types
import { Column, timeText } from './column'

const NANOSECONDS: i64 = 1_000_000_000
const DAY: i64 = 86_400

/** The length of `2026-01-01T00:00:00`. */
const SECOND_BYTES: usize = 19

/** Writes an integer; returns the address after it. */
export function writeSigned(value: i64, out: usize): usize {
  if (value >= 0) return writeUnsigned(<u64>value, out)
  store<u8>(out, MINUS)
  return writeUnsigned(~(<u64>value) + 1, out + 1)
}

/** Writes an unsigned integer; returns the address after it. */
export function writeUnsigned(value: u64, out: usize): usize {
  if (value <= u32.MAX_VALUE) return writeShort(<u32>value, out)
  // At most 20 digits: eight at the end, and up to twelve in front of them.
  const front = value / 100_000_000
  const at = writeUnsigned(front, out)
  writePadded(<u32>(value - front * 100_000_000), at, 8)
  return at + 8
}

function writeShort(value: u32, out: usize): usize {
  let digits: usize = 1
  for (let rest = value; rest >= 10; rest /= 10) digits++
  writePadded(value, out, digits)
  return out + digits
}

/** Writes a number as exactly `digits` digits, with leading zeros. */
function writePadded(value: u32, out: usize, digits: usize): void {
  let rest = value
  let at = out + digits
  while (at >= out + 2) {
    at -= 2
    const front = rest / 100
    const pair = rest - front * 100
    const ten = pair / 10
    store<u16>(at, <u16>((ten | ((pair - ten * 10) << 8)) + 0x3030))
    rest = front
  }
  if (at > out) store<u8>(out, ZERO + <u8>rest)
}

/** Writes `2026-01-01T00:00:00.01Z`, without zeros at the end of the fraction; returns the address after it. */
export function writeTime(column: Column, time: i64, out: usize): usize {
  let second = time / NANOSECONDS
  let fraction = time - second * NANOSECONDS
  if (fraction < 0) {
    second--
    fraction += NANOSECONDS
  }
  const text = timeText(column)
  if (column.hasSecond === 0 || column.second !== second) {
    writeSecond(second, text)
    column.second = second
    column.hasSecond = 1
  }
  // Copies nineteen bytes.
  v128.store(out, v128.load(text))
  store<u32>(out, load<u32>(text, 15), 15)
  let at = out + SECOND_BYTES
  if (fraction !== 0) {
    store<u8>(at, POINT)
    writePadded(<u32>fraction, at + 1, 9)
    at += 10
    while (load<u8>(at - 1) === ZERO) at--
  }
  store<u8>(at, UPPER_Z)
  return at + 1
}

/** Writes `2026-01-01T00:00:00`. The years of all times in nanoseconds have four digits. */
function writeSecond(second: i64, out: usize): void {
  let day = second / DAY
  let rest = <i32>(second - day * DAY)
  if (rest < 0) {
    day--
    rest += <i32>DAY
  }
  writeDay(<i32>day, out)
  store<u8>(out, UPPER_T, 10)
  const minutes = rest / 60
  writePadded(minutes / 60, out + 11, 2)
  store<u8>(out, COLON, 13)
  writePadded(minutes % 60, out + 14, 2)
  store<u8>(out, COLON, 16)
  writePadded(rest % 60, out + 17, 2)
}

/** Writes the date of a day since 1970, by counting from March 1 of the year 0: leap days are at the end of a year. */
function writeDay(day: i32, out: usize): void {
  const days = day + 719_468
  const era = days / 146_097
  const ofEra = days - era * 146_097
  const yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
  const ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  const fromMarch = (5 * ofYear + 2) / 153
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  writePadded(year, out, 4)
  store<u8>(out, MINUS, 4)
  writePadded(month, out + 5, 2)
  store<u8>(out, MINUS, 7)
  writePadded(ofYear - (153 * fromMarch + 2) / 5 + 1, out + 8, 2)
}
