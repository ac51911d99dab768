import { raw, type Sql, sql } from '../sql.js'

const UNITS = "'ns', 'us', 'µs', 'ms', 's', 'm', 'h'"

/** Parses Go's notation without a unit for days: `1m20s`, `-1.5h`. Decimals are exact to the nanosecond. */
export function timespanOfText(s: Sql): Sql {
  const parts = sql`extractAllGroupsVertical(ifNull(${s}, ''), '([0-9]*\\.?[0-9]+)(ns|us|µs|ms|s|m|h)')`
  const sizes = raw(`[${UNITS}], [1, 1000, 1000, 1000000, 1000000000, 60000000000, 3600000000000]`)
  const sum = sql`arraySum(part -> toDecimal256OrZero(part[1], 18) * transform(part[2], ${sizes}, 0), ${parts})`
  const whole = sql`intDiv(toInt256(${sum} * 2 + 1), 2)`
  // Most texts are a single number, for which 128 bits are enough: a quarter of the time.
  const number = sql`toDecimal128OrZero(trimRight(${s}, 'nuµmsh'), 9)`
  const size = sql`transform(trimLeft(${s}, '0123456789.'), ${sizes}, 0)`
  const single = sql`toInt64(intDiv(toInt128(${number} * ${size} * 2 + 1), 2))`
  const sign = sql`if(startsWith(${s}, '-'), -1, 1)`
  // A string of more than 40 characters is outside 64 bits or has digits below a nanosecond.
  return sql`multiIf(match(${s}, '^[0-9]{1,6}(\\.[0-9]{1,9})?(ns|us|µs|ms|s|m|h)$'), ${single}, length(${s}) <= 40 AND match(${s}, '^[+-]?([0-9]*\\.?[0-9]+(ns|us|µs|ms|s|m|h))+$'), accurateCastOrNull(${sign} * ${whole}, 'Int64'), ${s} IN ('0', '+0', '-0'), 0, NULL)`
}

/** Formats a timespan in Go's notation: `1m20s`, `1.5ms`, `0s`. */
export function timespanText(n: Sql): Sql {
  const size = sql`abs(toInt128(${n}))`
  const sign = sql`if(${n} < 0, '-', '')`
  const minutes = sql`toString(intDiv(${size}, 60000000000) % 60)`
  const seconds = decimal(sql`${size} % 60000000000`, 9)
  return sql`concat(${sign}, multiIf(${n} = 0, '0s', ${size} < 1000, concat(toString(${size}), 'ns'), ${size} < 1000000, concat(${decimal(size, 3)}, 'µs'), ${size} < 1000000000, concat(${decimal(size, 6)}, 'ms'), concat(if(${size} >= 3600000000000, concat(toString(intDiv(${size}, 3600000000000)), 'h'), ''), if(${size} >= 60000000000, concat(${minutes}, 'm'), ''), ${seconds}, 's')))`
}

/** Divides an integer by a power of ten, exactly, without trailing zeros. */
function decimal(value: Sql, digits: number): Sql {
  const unit = 10n ** BigInt(digits)
  const fraction = sql`leftPad(toString((${value}) % ${unit}), ${digits}, '0')`
  return sql`trimRight(trimRight(concat(toString(intDiv(${value}, ${unit})), '.', ${fraction}), '0'), '.')`
}
