const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Parses a number as a time in nanoseconds since 1970: multiplied by 10^`power`, or by default by the unit with which it is a
 * recent time, which covers the years 1973 to 5138. Returns undefined for any other text.
 */
export function unixTime(text: string, power?: number): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  // The value is exactly `digits` × 10 ^ -scale.
  const digits = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  const time = shifted(digits, (power ?? powerOf(shifted(digits, -scale))) - scale)
  return sign === '-' ? -time : time
}

function powerOf(size: bigint): number {
  return size < 10n ** 11n ? 9 : size < 10n ** 14n ? 6 : size < 10n ** 17n ? 3 : 0
}

function shifted(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}
