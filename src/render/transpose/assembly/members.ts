// The remainders of events: JSON objects, of which some members are columns. Each member has a place, which has its value in the
// current row, and is found by its key and by the place of the object that contains it.

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LOWER_E,
  LOWER_U,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  UPPER_A,
  ZERO,
} from '../../../wire/assembly/bytes'
import { lengthRead, readLength, textsEnd } from './column'
import { decodeKey } from './host'

/** The state of the column with the remainders: addresses in memory, and the position after the remainders that were read. */
@unmanaged
export class Members {
  values: u32
  /** The place of the event itself. */
  root: u32
  /** The places by hash, `u32` each, 0 for none; the number of slots is a power of two. */
  table: u32
  slots: u32
  /** Memory for a key without escapes, and the maximum length of a key with escapes that may be one of the keys. */
  key: u32
  keyBytes: u32
  /** The number of rows up to and including the one that was read last, and the address after its remainder. */
  rows: u32
  next: u32
}

/** The place of a member. */
@unmanaged
export class Place {
  /** The value; empty for null. */
  start: u32
  end: u32
  /** The number of rows up to and including the row that the value is from. */
  row: u32
  /** The reasons for which the engine writes the value in another way, as bits. */
  foreign: u32
  /** The key, and the place of the object that contains the member. */
  key: u32
  keyLength: u32
  parent: u32
  /** 1 when the value is a column; 1 when objects are no values; 1 when members of objects have places. */
  isField: u32
  isNoObject: u32
  hasMembers: u32
}

export function addMember(map: Members, place: Place): void {
  const mask = map.slots - 1
  let slot = hashOf(place.parent, place.key, place.keyLength) & mask
  while (load<u32>(<usize>map.table + ((<usize>slot) << 2)) !== 0) slot = (slot + 1) & mask
  store<u32>(<usize>map.table + ((<usize>slot) << 2), <u32>changetype<usize>(place))
}

/** Returns the place of a member of an object; 0 when there is none. */
function placeOf(map: Members, parent: u32, key: usize, length: u32): usize {
  const mask = map.slots - 1
  let slot = hashOf(parent, key, length) & mask
  while (true) {
    const found = <usize>load<u32>(<usize>map.table + ((<usize>slot) << 2))
    if (found === 0) return 0
    const place = changetype<Place>(found)
    const isSame = place.keyLength === length && place.parent === parent
    if (isSame && memory.compare(place.key, key, length) === 0) return found
    slot = (slot + 1) & mask
  }
}

/** Hashes the first eight bytes of a key, the last eight, and eight in the middle. */
function hashOf(parent: u32, key: usize, length: u32): u32 {
  let hash: u64 = ((<u64>parent) << 16) ^ length
  if (length < 8) {
    if (length > 0) hash ^= load<u64>(key) << ((8 - length) << 3)
  } else {
    hash ^= load<u64>(key)
    hash ^= rotl<u64>(load<u64>(key + length - 8), 21)
    hash ^= rotl<u64>(load<u64>(key + (length >> 1) - 4), 42)
  }
  return <u32>(((hash ^ (hash >> 32)) * 0x9e37_79b1) >> 32)
}

/** Reads the remainder of a row. Of several members with the same key, the first one counts. */
export function readMembers(map: Members, row: u32): void {
  if (map.rows === row + 1) return
  if (map.rows === 0 || map.rows > row) {
    map.rows = 0
    map.next = map.values
  }
  const at = readLength(textsEnd(map.next, row - map.rows, usize.MAX_VALUE))
  end = at + lengthRead
  map.rows = row + 1
  map.next = <u32>end
  const from = spaceEnd(at)
  if (isAt(from, OPEN_OBJECT)) readObject(map, map.root, from + 1)
}

/** The end of the current remainder or value. */
let end: usize = 0

/** Reads the members of an object; returns the position after it. */
function readObject(map: Members, object: u32, from: usize): usize {
  const rows = map.rows
  let at = spaceEnd(from)
  while (isAt(at, QUOTE)) {
    const key = at + 1
    at = stringEnd(at)
    const place = hasEscapes
      ? escapedPlace(map, object, key, at - 1)
      : placeOf(map, object, key, <u32>(at - 1 - key))
    at = spaceEnd(at)
    if (!isAt(at, COLON)) return end
    at = spaceEnd(at + 1)
    const member = changetype<Place>(place)
    if (place === 0 || member.row === rows) at = valueEnd(at)
    else {
      member.row = rows
      member.start = member.end = 0
      const isObject = isAt(at, OPEN_OBJECT)
      if (isObject && member.hasMembers !== 0) at = readObject(map, <u32>place, at + 1)
      else {
        const start = at
        at = valueEnd(at)
        if (member.isField !== 0 && !(isObject && member.isNoObject !== 0)) {
          member.start = <u32>start
          member.end = <u32>at
          member.foreign = reasons === 0 || object === map.root ? reasons : reasons | INSIDE
        }
      }
    }
    at = spaceEnd(at)
    if (!isAt(at, COMMA)) return isAt(at, CLOSE_OBJECT) ? at + 1 : end
    at = spaceEnd(at + 1)
  }
  return isAt(at, CLOSE_OBJECT) ? at + 1 : end
}

function escapedPlace(map: Members, object: u32, key: usize, keyEnd: usize): usize {
  if (keyEnd - key > map.keyBytes) return 0
  return placeOf(map, object, map.key, <u32>decodeKey(key, keyEnd, map.key))
}

function isAt(at: usize, byte: u8): bool {
  return at < end && load<u8>(at) === byte
}

function spaceEnd(from: usize): usize {
  let at = from
  while (at < end && load<u8>(at) <= SPACE) at++
  return at
}

/** True when the string found last has escapes. */
let hasEscapes = false
// The reasons for which the engine writes a value in another way, as bits.
/** White space, escapes, or zeros at the end of a fraction, which `writeEngineJson` writes as the engine does. */
const TEXT: u32 = 1
/** A number that the engine writes in another form, such as `1e2`. */
export const NUMBER: u32 = 2
/** The value is inside an object. */
export const INSIDE: u32 = 4
/** The reasons in the value found last. */
let reasons: u32 = 0

/** The first byte of U+2028 and U+2029. */
const SEPARATOR: u8 = 0xe2

/** Returns the position after a string, at most `end`. */
function stringEnd(from: usize): usize {
  hasEscapes = false
  let at = from + 1
  while (at < end) {
    const bytes = v128.load(at)
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH))),
        i8x16.eq(bytes, i8x16.splat(SEPARATOR)),
      ),
    )
    if (stops === 0) {
      at += 16
      continue
    }
    at += ctz(stops)
    if (at >= end) break
    const byte = load<u8>(at)
    if (byte === QUOTE) return at + 1
    if (byte === SEPARATOR) {
      if (load<u8>(at, 1) === 0x80 && (load<u8>(at, 2) | 1) === 0xa9) reasons |= TEXT
      at++
      continue
    }
    hasEscapes = true
    const escaped = load<u8>(at, 1)
    if (escaped === SLASH || escaped === LOWER_U) reasons |= TEXT
    at += 2
  }
  return end
}

/** Returns the reasons for which the engine writes a value in another way. */
export function foreignReasons(from: usize, to: usize): u32 {
  end = to
  valueEnd(from)
  return reasons
}

/** Returns the position after a value, at most `end`, and sets `reasons`. */
function valueEnd(from: usize): usize {
  reasons = 0
  let depth = 0
  let at = from
  while (at < end) {
    const byte = load<u8>(at)
    if (byte === QUOTE) at = stringEnd(at)
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++
      at++
      continue
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--
      at++
    } else if (byte === COMMA || byte === COLON) {
      at++
      continue
    } else if (byte <= SPACE) {
      reasons |= TEXT
      at++
      continue
    } else at = wordEnd(at)
    if (depth <= 0) return at
  }
  return end
}

/** Returns the position after a number, `true`, `false` or `null`. */
function wordEnd(from: usize): usize {
  const isNumber = load<u8>(from) < UPPER_A
  let at = from
  let point: usize = 0
  let stops = 0
  do {
    const bytes = v128.load(at)
    const lower = v128.or(bytes, i8x16.splat(SPACE))
    stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.le_u(bytes, i8x16.splat(SPACE)), i8x16.eq(bytes, i8x16.splat(COMMA))),
        i8x16.eq(lower, i8x16.splat(CLOSE_OBJECT)),
      ),
    )
    const left = end - at
    if (left < 16) stops |= 1 << (<i32>left)
    // The bits below the lowest bit of the stops.
    const inside = (stops & -stops) - 1
    if (isNumber) {
      const points = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(POINT))) & inside
      if (points !== 0) point = at + ctz(points)
      if (i8x16.bitmask(i8x16.eq(lower, i8x16.splat(LOWER_E))) & inside) reasons |= NUMBER
    }
    at += stops === 0 ? 16 : ctz(stops)
  } while (stops === 0)
  if (point === 0) {
    if (load<u16>(from) === MINUS_ZERO) reasons |= NUMBER
    return at
  }
  const shortEnd = fractionEnd(point, at)
  if (shortEnd < at) reasons |= TEXT
  if (shortEnd === point ? !isShortInteger(from, point) : !isShortest(from, point, shortEnd)) {
    reasons |= NUMBER
  }
  return at
}

/** Returns the position after a fraction without its zeros at the end; `point` when no digit is left. */
export function fractionEnd(point: usize, to: usize): usize {
  let at = to
  while (load<u8>(at - 1) === ZERO) at--
  return at - 1 === point ? point : at
}

/** True for an integer that is a double and written without an exponent, except a negative zero. */
function isShortInteger(from: usize, to: usize): bool {
  return to - from < 16 && load<u16>(from) !== MINUS_ZERO
}

/** `-0` as two bytes. */
const MINUS_ZERO: u16 = 0x302d

const MOST_OWN_DIGITS: usize = 15
/** A power of ten up to this one is a double. */
const PLACES: usize = 22
/** An integer that can take one more digit in 64 bits. */
const DIGITS: u64 = 1_800_000_000_000_000_000
/** A distance in units of the last place that is beyond the errors of the computation. */
const CERTAIN = 1e-6

/** True for a decimal number that has the fewest digits of all numbers of its double, and that the engine writes without an exponent. */
function isShortest(from: usize, point: usize, to: usize): bool {
  const start = from + <usize>(load<u8>(from) === MINUS)
  const places = to - point - 1
  if (places > PLACES) return false
  if (places > 5 && load<u32>(point, 1) === 0x3030_3030 && load<u8>(point, 5) === ZERO) return false
  // Numbers of up to 15 digits have doubles of their own.
  if (to - start <= MOST_OWN_DIGITS + 1) return true
  let digits: u64 = 0
  let scale: f64 = 1
  for (let at = start; at < to; at++) {
    if (at === point) continue
    if (digits > DIGITS) return false
    digits = digits * 10 + (load<u8>(at) - ZERO)
    if (at > point) scale *= 10
  }
  if (digits < 1_000_000_000_000_000) return true
  // The double, and the distance between the number and the double, in units of its last place.
  const high = <f64>digits
  const quotient = high / scale
  const rest = (<f64>(<i64>(digits - <u64>high)) - productError(quotient, scale, high)) / scale
  const double = quotient + rest
  const bits = reinterpret<u64>(double)
  if ((bits & 0x000f_ffff_ffff_ffff) === 0) return false
  const unit = reinterpret<f64>((bits & 0x7ff0_0000_0000_0000) - (52 << 52))
  const distance = (quotient - double + rest) / unit
  // The number is the closest one with its last place, and the neighbors with one place fewer belong to other doubles.
  const step = 1 / scale / unit
  const last = <f64>(load<u8>(to - 1) - ZERO)
  return (
    abs(distance) < step / 2 - CERTAIN &&
    last * step - distance > 0.5 + CERTAIN &&
    (10 - last) * step + distance > 0.5 + CERTAIN
  )
}

/** Returns `a * b - product` without an error, for a product that is about as large (Dekker 1971). */
function productError(a: f64, b: f64, product: f64): f64 {
  const aHigh = upperHalf(a)
  const bHigh = upperHalf(b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow
}

/** Returns a double without the lower half of its digits. */
function upperHalf(value: f64): f64 {
  const scaled = value * 134_217_729
  return scaled - (scaled - value)
}
