// The tables with which numbers are converted to doubles; `wire/assembly/real.ts` reads them.

/** 10^22 is the largest power of ten that a double holds exactly. */
const EXACT_POWERS = 22
/** The exponents of the powers of five are from -60 to 60. */
const LAST_POWER = 60
const TABLE_BITS = 128n
const POWER_BYTES = (EXACT_POWERS + 1) * 8 + (2 * LAST_POWER + 1) * 16

/** Returns the powers of ten from 0 to 22 as doubles; after them the first 128 bits of powers of five, the higher 64 first. */
export function powerTables(): Buffer {
  const doubles = Array.from({ length: EXACT_POWERS + 1 }, (_, power) => Number(`1e${power}`))
  const fives = Array.from({ length: 2 * LAST_POWER + 1 }, (_, i) => firstBits(i - LAST_POWER))
  const bytes = Buffer.alloc(POWER_BYTES)
  for (const [i, value] of doubles.entries()) bytes.writeDoubleLE(value, i * 8)
  for (const [i, bits] of fives.entries()) {
    const at = doubles.length * 8 + i * 16
    bytes.writeBigUInt64LE(bits >> 64n, at)
    bytes.writeBigUInt64LE(BigInt.asUintN(64, bits), at + 8)
  }
  return bytes
}

/** Returns the first 128 bits of a power of five: rounded down, and up for a negative exponent. */
function firstBits(power: number): bigint {
  const five = 5n ** BigInt(Math.abs(power))
  const bits = BigInt(five.toString(2).length)
  if (power >= 0)
    return bits > TABLE_BITS ? five >> (bits - TABLE_BITS) : five << (TABLE_BITS - bits)
  // 1 / 5^n is between 2^-bits and 2^(1 - bits).
  return 2n ** (bits + TABLE_BITS - 1n) / five + 1n
}
