import {
  COLON,
  FIVE,
  MINUS,
  NINE,
  ONE,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  THREE,
  TWO,
  UPPER_T,
  UPPER_Z,
  ZERO,
} from '../../../../wire/assembly/bytes'

/** True when the string whose first character is at `at` is a date and time of a usual form, with or without a zone. */
export function isDateTime(at: usize): bool {
  if (!isYear(at) || load<u8>(at, 4) !== MINUS) return false
  if (!isNumber(at + 5, NINE) || load<u8>(at, 7) !== MINUS || !isNumber(at + 8, NINE)) return false
  const separator = load<u8>(at, 10)
  if (separator !== UPPER_T && separator !== SPACE) return false
  if (!isHour(at + 11) || load<u8>(at, 13) !== COLON || !isNumber(at + 14, FIVE)) return false
  if (load<u8>(at, 16) !== COLON || !isNumber(at + 17, FIVE)) return false
  return isEnd(fractionEnd(at + 19))
}

/** From 1901 to 2299. */
function isYear(at: usize): bool {
  const century = load<u8>(at, 1)
  if (!isNumber(at + 2, NINE)) return false
  if (load<u8>(at) === TWO) return century >= ZERO && century <= TWO
  if (load<u8>(at) !== ONE || century !== NINE) return false
  return load<u8>(at, 2) !== ZERO || load<u8>(at, 3) !== ZERO
}

/** Returns the position after a fraction of a second; the same position when there is none. */
function fractionEnd(start: usize): usize {
  if (load<u8>(start) !== POINT) return start
  let at = start + 1
  while (isDigit(load<u8>(at))) at++
  return at > start + 1 ? at : start
}

/** True for the end of the string, also after a zone. */
function isEnd(at: usize): bool {
  const byte = load<u8>(at)
  if (byte === UPPER_Z) return load<u8>(at, 1) === QUOTE
  if (byte !== PLUS && byte !== MINUS) return byte === QUOTE
  if (!isHour(at + 1)) return false
  const minutes = at + (load<u8>(at, 3) === COLON ? 4 : 3)
  return isNumber(minutes, FIVE) && load<u8>(minutes, 2) === QUOTE
}

function isHour(at: usize): bool {
  return isNumber(at, TWO) && (load<u8>(at) < TWO || load<u8>(at, 1) <= THREE)
}

/** True for two digits of which the first is at most `most`. */
function isNumber(at: usize, most: u8): bool {
  const first = load<u8>(at)
  return first >= ZERO && first <= most && isDigit(load<u8>(at, 1))
}

function isDigit(byte: u8): bool {
  return byte >= ZERO && byte <= NINE
}
