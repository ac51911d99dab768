// The algorithm of Daniel Lemire, "Number parsing at a gigabyte per second" (https://arxiv.org/abs/2101.11408), for up to 19
// digits and for powers of ten of which the host has written the first 128 bits.

import { MINUS, PLUS, POINT, ZERO } from './bytes'
import { digitsAt, digitsEnd, withDigits } from './digits'
import { integerOf } from './integer'

/** The host writes the powers of ten that are exact as doubles, from 0 on, and after them the first 128 bits of powers of five. */
const EXACT_POWERS: i32 = 22
const LAST_POWER: i32 = 60
const EXACT_BYTES: usize = (<usize>EXACT_POWERS + 1) * 8
export const powers: usize = memory.data(EXACT_BYTES + (2 * <usize>LAST_POWER + 1) * 16, 16)
const FIVES: usize = powers + EXACT_BYTES

/** Returns the address of the first 128 bits of a power of five, the higher 64 first; `power` is from -60 to 60. */
export function powerOfFive(power: i32): usize {
  return FIVES + ((<usize>(power + LAST_POWER)) << 4)
}

const MANTISSA_BITS: i32 = 52
/** The bit of a mantissa that a double does not store. */
const HIDDEN_BIT: u64 = 0x10_0000_0000_0000
const EXACT_INTEGER: u64 = 2 * HIDDEN_BIT
const MAX_DIGITS: i32 = 19

/** True when the number converted last needs other code. */
export let isInexact: bool = false

/** Returns the double that is closest to a number. */
export function realOf(start: usize, end: usize): f64 {
  const isNegative = load<u8>(start) === MINUS
  const whole = isNegative ? start + 1 : start
  let at = whole + digitsAt(whole)
  let digits = withDigits(0, whole, at)
  /** The first digit that counts: zeros in front of it do not. */
  let first = load<u8>(whole) === ZERO ? at : whole
  let count = <i32>(at - first)
  let power = 0
  if (load<u8>(at) === POINT) {
    const fraction = at + 1
    at = digitsEnd(fraction)
    digits = withDigits(digits, fraction, at)
    if (count === 0) for (first = fraction; load<u8>(first) === ZERO; first++);
    count += <i32>(at - max(first, fraction))
    power = <i32>(fraction - at)
  }
  if (at < end) power += exponentOf(at + 1, end)
  const value =
    count > MAX_DIGITS ? ofFirstDigits(first, power + count - MAX_DIGITS) : scaled(digits, power)
  return isNegative ? -value : value
}

/** Returns the double that is closest to a number of more digits, unless it depends on the digits after the first ones. */
function ofFirstDigits(first: usize, power: i32): f64 {
  let digits: u64 = 0
  for (let at = first, count = 0; count < MAX_DIGITS; at++) {
    if (load<u8>(at) === POINT) continue
    digits = digits * 10 + (load<u8>(at) - ZERO)
    count++
  }
  const value = scaled(digits, power)
  const next = scaled(digits + 1, power)
  isInexact = isInexact || value !== next
  return value
}

function exponentOf(start: usize, end: usize): i32 {
  return <i32>integerOf(load<u8>(start) === PLUS ? start + 1 : start, end)
}

/** Returns `digits` × 10 ^ `power`. */
function scaled(digits: u64, power: i32): f64 {
  isInexact = false
  if (digits === 0) return 0
  if (digits <= EXACT_INTEGER && power >= -EXACT_POWERS && power <= EXACT_POWERS) {
    const exact = load<f64>(powers + ((<usize>abs(power)) << 3))
    return power < 0 ? <f64>digits / exact : <f64>digits * exact
  }
  isInexact = power < -LAST_POWER || power > LAST_POWER
  return isInexact ? 0 : nearest(digits, power)
}

/** Returns `digits` × 10 ^ `power`, computed with 128 bits of the power, which are always enough. */
function nearest(digits: u64, power: i32): f64 {
  const zeros = <i32>clz(digits)
  const shifted = digits << zeros
  const five = powerOfFive(power)
  const first = load<u64>(five)
  let low = shifted * first
  let high = highProduct(shifted, first)
  if ((high & 0x1ff) === 0x1ff) {
    const carry = highProduct(shifted, load<u64>(five, 8))
    low += carry
    if (carry > low) high++
  }
  const top = <i32>(high >> 63)
  const drop = top + 64 - MANTISSA_BITS - 3
  let mantissa = high >> drop
  let exponent = ((217_706 * power) >> 16) + 63 + top - zeros + 1023
  // A number in the middle between two doubles is rounded to the even one.
  const mayBeMiddle = low <= 1 && power >= -4 && power <= 23 && (mantissa & 3) === 1
  if (mayBeMiddle && mantissa << drop === high) mantissa &= ~1
  mantissa = (mantissa + (mantissa & 1)) >> 1
  if (mantissa >= 2 * HIDDEN_BIT) {
    mantissa = HIDDEN_BIT
    exponent++
  }
  return reinterpret<f64>(((<u64>exponent) << MANTISSA_BITS) | (mantissa & ~HIDDEN_BIT))
}

/** Returns the upper 64 bits of a product. */
export function highProduct(one: u64, other: u64): u64 {
  const low = one & 0xffff_ffff
  const high = one >> 32
  const otherLow = other & 0xffff_ffff
  const otherHigh = other >> 32
  const lowHigh = low * otherHigh
  const highLow = high * otherLow
  const middle = ((low * otherLow) >> 32) + (lowHigh & 0xffff_ffff) + (highLow & 0xffff_ffff)
  return high * otherHigh + (lowHigh >> 32) + (highLow >> 32) + (middle >> 32)
}
