import { highProduct, powerOfFive } from '../../assembly/real'

/** Answers of `isShortest`. */
export const NO: i32 = 0
export const YES: i32 = 1
export const UNCLEAR: i32 = 2

export const MAX_POWER: i32 = 60

/** All decimals of fewer digits are the shortest ones of their doubles, and no decimal of more is. */
const SAFE: u64 = 1_000_000_000_000_000
const LONGEST: u64 = 100_000_000_000_000_000
/** The bits of a product below its first 53, which are the double. */
const DROPPED: i32 = 10
/** Bits that are added to differences. The last ones of a product are not exact. */
const ADDED: i32 = 40
const INEXACT: i64 = 32

/**
 * Returns `YES` when `digits` × 10 ^ `power` is the decimal with which its closest double is printed: no decimal of fewer digits is
 * closest to the same double, and no other one of as many digits is closer to it. `power` is from -`MAX_POWER` to `MAX_POWER`.
 */
export function isShortest(digits: u64, power: i32): i32 {
  if (digits < SAFE) return YES
  const last = <i64>(digits % 10)
  if (last === 0) return UNCLEAR
  if (digits >= LONGEST) return NO
  const five = powerOfFive(power)
  const first = load<u64>(five)
  const zeros = clz(digits)
  const shifted = digits << zeros
  const carry = highProduct(shifted, load<u64>(five, 8))
  const low = shifted * first + carry
  const high = highProduct(shifted, first) + (carry > low ? 1 : 0)
  const drop = (high >> 63) + DROPPED
  // Differences are in units of the last bit of `high`, with more bits behind it: between two doubles, from the double below to the
  // decimal, and between two decimals of as many digits.
  const step = (<i64>1) << (drop + ADDED)
  const half = step >> 1
  const above = <i64>(((high & (((<u64>1) << drop) - 1)) << ADDED) | (low >> (64 - ADDED)))
  const unit = <i64>(first >> (64 - ADDED - zeros))
  const isUp = above > half
  const double = (high >> drop) + (isUp ? 1 : 0)
  // The doubles below a power of two are closer to each other.
  if (abs(above - half) <= INEXACT || (double & (double - 1)) === 0) return UNCLEAR
  const error = isUp ? above - step : above
  const room = min(
    (unit >> 1) - abs(error),
    // A decimal of fewer digits is outside of the numbers whose closest double is this one.
    min(last * unit - error - half, (10 - last) * unit + error - half),
  )
  if (abs(room) <= INEXACT) return UNCLEAR
  return room > 0 ? YES : NO
}
