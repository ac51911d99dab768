import { type Sql, sql, text } from '../sql.js'
import { once, type Value } from '../value.js'
import { asText } from './convert.js'
import { elements, isArray } from './json-array.js'

/** A parsed network address or range; the other members are meaningful only if it is valid. */
export interface Network {
  readonly isValid: Sql
  /** The first address as a number. */
  readonly start: Sql
  /** The length of the prefix in bits. */
  readonly bits: Sql
}

// The engine's own functions throw for a string that is not a range.

/** Parses `192.168.1.1` or `10.0.0.0/8` from a string that is not null. */
export function ipv4Network(range: Sql): Network {
  const address = sql`substringIndex(${range}, '/', 1)`
  const form = text('^[^/]+(?:/(?:[0-9]|[12][0-9]|3[0-2]))?$')
  return {
    isValid: sql`(match(${range}, ${form}) AND isIPv4String(${address}))`,
    start: ipv4(address),
    bits: bitsOf(range, 32),
  }
}

/** Parses `2001:db8::/32`; IPv4 is mapped to IPv6. */
export function ipv6Network(range: Sql): Network {
  const address = sql`substringIndex(${range}, '/', 1)`
  const isIpv4 = sql`isIPv4String(${address})`
  const most = sql`if(${isIpv4}, 32, 128)`
  const bits = bitsOf(range, 128)
  const isForm = sql`match(${range}, ${text('^[^/]+(?:/[0-9]{1,3})?$')})`
  const within = sql`toUInt32OrZero(substringIndex(${range}, '/', -1)) <= ${most}`
  return {
    isValid: sql`(${isForm} AND (isIPv6String(${address}) OR ${isIpv4}) AND (position(${range}, '/') = 0 OR ${within}))`,
    start: sql`reinterpretAsUInt128(reverse(IPv6StringToNumOrDefault(${address})))`,
    bits: sql`if(${isIpv4} AND position(${range}, '/') > 0, least(${bits} + 96, 128), ${bits})`,
  }
}

function bitsOf(range: Sql, most: number): Sql {
  const written = sql`toUInt32OrZero(substringIndex(${range}, '/', -1))`
  return sql`toInt64(if(position(${range}, '/') = 0, ${most}, least(${written}, ${most})))`
}

/** Returns the number of an IPv4 address; 0 for anything else. */
export function ipv4(address: Sql): Sql {
  return sql`toUInt64(IPv4StringToNumOrDefault(${address}))`
}

/** Clears the bits after a prefix. */
export function masked(address: Sql, bits: Sql): Sql {
  return once(
    sql`toUInt64(32 - ${bits})`,
    (bits) => sql`bitShiftLeft(bitShiftRight(${address}, ${bits}), ${bits})`,
  )
}

/** True when two numbers have the same prefix. */
export function agree(a: Sql, b: Sql, { bits, width }: { bits: Sql; width: 32 | 128 }): Sql {
  return once(
    sql`toUInt64(${width} - ${bits})`,
    (bits) => sql`bitShiftRight(${a}, ${bits}) = bitShiftRight(${b}, ${bits})`,
  )
}

/** Finds the IPv4 addresses in a string that have no letter or digit on either side. */
export function addressesIn(source: Sql): Sql {
  // Words with three dots or more, which most texts do not have.
  const dotted = text('[0-9A-Za-z]*(?:[.][0-9A-Za-z]*){3}[0-9A-Za-z.]*')
  const words = sql`arrayMap(word -> splitByChar('.', word), extractAll(${source}, ${dotted}))`
  const fours = sql`arrayMap(i -> arrayStringConcat(arraySlice(parts, i, 4), '.'), range(1, length(parts) - 2))`
  const all = sql`arrayFlatten(arrayMap(parts -> ${fours}, ${words}))`
  return sql`arrayFilter(address -> isIPv4String(address), ${all})`
}

/** Returns the strings of an array, or the single string that the value is. */
export function textsIn(value: Value): Sql {
  if (value.type !== 'dynamic') return sql`[ifNull(${value.sql}, '')]`
  return once(value.sql, (d) => {
    const one = sql`[ifNull(${asText({ ...value, sql: d })}, '')]`
    return sql`if(${isArray(d)}, arrayMap(item -> JSONExtractString(item), ${elements(d)}), ${one})`
  })
}
