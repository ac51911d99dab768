import { joined, joinedBy, type Sql, sql, text } from '../sql.js'
import {
  addressesIn,
  agree,
  ipv4,
  ipv4Network,
  ipv6Network,
  masked,
  type Network,
  textsIn,
} from '../type/address.js'
import { predicate } from '../type/compare.js'
import { asText } from '../type/convert.js'
import { nullable, once, onceEach, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const NETWORK_SQL = {
  format_ipv4: ([address]) =>
    formatted([address!], (n) => sql`IPv4NumToString(toUInt32(${n}))`, sql`true`),
  format_ipv4_mask: ([address, prefix]) => {
    const bits = standIn(prefix!)
    const network = (n: Sql) =>
      sql`concat(IPv4NumToString(toUInt32(${masked(n, bits)})), '/', toString(${bits}))`
    return formatted([address!, prefix!], network, isPrefix(prefix!))
  },
  has_any_ipv4: ([source, addresses]) => {
    const range = ipv4Network(sql`item`)
    const isIn = agree(ipv4(sql`address`), range.start, { bits: range.bits, width: 32 })
    const test = onceEach(
      [addressesIn(standIn(source!)), textsIn(addresses!)],
      ([found, items]) => {
        const isInRange = sql`arrayExists(item -> position(item, '/') > 0 AND ${range.isValid} AND ${isIn}, ${items!})`
        const isInAny = sql`arrayExists(address -> ${isInRange}, ${found!})`
        return sql`(hasAny(${found!}, ${items!}) OR ${isInAny})`
      },
    )
    return predicate(test, [])
  },
  has_any_ipv4_prefix: ([source, prefixes]) => hasPrefix(source!, textsIn(prefixes!)),
  has_ipv4: ([source, address]) => predicate(hasAddress(standIn(source!), address!), []),
  has_ipv4_prefix: ([source, prefix]) => hasPrefix(source!, sql`[${standIn(prefix!)}]`),
  ipv4_compare: ([a, b]) => compared(a!, b!, ipv4Address),
  ipv4_is_in_any_range: ([address, ranges]) =>
    inAnyRange(address!, ranges!, { address: ipv4Address, range: ipv4Network, width: 32 }),
  ipv4_is_in_range: ([address, range]) =>
    matched(ipv4Address(standIn(address!)), ipv4Network(standIn(range!)), 32),
  ipv4_is_match: ([a, b, prefix]) =>
    matched(ipv4Network(standIn(a!)), ipv4Network(standIn(b!)), 32, prefix),
  ipv4_is_private: ([address]) => {
    const { isValid, start } = ipv4Address(standIn(address!))
    const isIn = PRIVATE.map(
      ([network, bits]) =>
        sql`bitShiftRight(${start}, ${32 - bits}) = ${network >> (32n - BigInt(bits))}`,
    )
    return nullable('bool', sql`if(${isValid}, ${joined(isIn, ' OR ')}, NULL)`)
  },
  ipv4_netmask_suffix: ([range]) => {
    const { isValid, bits } = ipv4Network(standIn(range!))
    return nullable('int', sql`if(${isValid}, ${bits}, NULL)`)
  },
  ipv6_compare: ([a, b]) => compared(a!, b!, ipv6Address),
  ipv6_is_in_any_range: ([address, ranges]) =>
    inAnyRange(address!, ranges!, { address: ipv6Address, range: ipv6Network, width: 128 }),
  ipv6_is_in_range: ([address, range]) =>
    matched(ipv6Address(standIn(address!)), ipv6Network(standIn(range!)), 128),
  ipv6_is_match: ([a, b]) => matched(ipv6Network(standIn(a!)), ipv6Network(standIn(b!)), 128),
  parse_ipv4: ([address]) => {
    const { isValid, start } = ipv4Address(standIn(address!))
    return nullable('int', sql`if(${isValid}, toInt64(${start}), NULL)`)
  },
  parse_ipv4_mask: ([address, prefix]) => {
    const { isValid, start } = ipv4Address(standIn(address!))
    const network = sql`toInt64(${masked(start, standIn(prefix!))})`
    return nullable('int', sql`if(${isValid} AND ${isPrefix(prefix!)}, ${network}, NULL)`)
  },
} satisfies Record<string, FunctionRow>

/** 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16 of RFC 1918. */
const PRIVATE = [
  [0x0a00_0000n, 8],
  [0xac10_0000n, 12],
  [0xc0a8_0000n, 16],
] as const

/** Replaces null with a string that is neither an address nor a prefix. */
function standIn(value: Value): Sql {
  if (!value.nullable) return value.sql
  return value.type === 'string' ? sql`ifNull(${value.sql}, '')` : sql`ifNull(${value.sql}, -1)`
}

/** A plain address without a prefix. */
function ipv4Address(address: Sql): Network {
  return { isValid: sql`isIPv4String(${address})`, start: ipv4(address), bits: sql`32` }
}

function ipv6Address(address: Sql): Network {
  const network = ipv6Network(address)
  return { ...network, isValid: sql`(position(${address}, '/') = 0 AND ${network.isValid})` }
}

function isPrefix(prefix: Value): Sql {
  return sql`(${standIn(prefix)} BETWEEN 0 AND 32)`
}

/** Returns the dotted notation of an IPv4 number or address; the empty string for anything else. */
function formatted(values: readonly Value[], of: (n: Sql) => Sql, isPossible: Sql): Value {
  const [address] = values
  const written = (n: Sql) => sql`if(${n} BETWEEN 0 AND 4294967295 AND ${isPossible}, ${of(n)}, '')`
  const number = address!.type === 'int' ? standIn(address!) : numberOf(address!)
  const tests = values.filter((value) => value.nullable).map((value) => sql`isNull(${value.sql})`)
  const result = once(number, written)
  if (tests.length === 0) return { sql: result, type: 'string', nullable: false }
  return nullable('string', sql`if(${joined(tests, ' OR ')}, NULL, ${result})`)
}

/** Returns the number of an IPv4 address or of a string of digits; -1 for anything else. */
function numberOf(address: Value): Sql {
  return once(sql`ifNull(${asText(address)}, '')`, (s) => {
    const address = sql`if(isIPv4String(${s}), toInt64(${ipv4(s)}), -1)`
    return sql`ifNull(toInt64OrNull(${s}), ${address})`
  })
}

/** Matches only without a letter or digit on either side. */
function hasAddress(source: Sql, address: Value): Sql {
  if (address.constant === undefined) {
    // A pattern would be compiled for each row.
    return onceEach([source, standIn(address)], ([s, a]) => {
      return sql`(position(${s!}, ${a!}) > 0 AND has(${addressesIn(s!)}, ${a!}))`
    })
  }
  const quoted = sql`regexpQuoteMeta(${standIn(address)})`
  const pattern = sql`concat('(?:^|[^0-9A-Za-z])', ${quoted}, '(?:$|[^0-9A-Za-z])')`
  return sql`(isIPv4String(${standIn(address)}) AND match(${source}, ${pattern}))`
}

function hasPrefix(source: Value, prefixes: Sql): Value {
  const begins = sql`arrayExists(prefix -> prefix != '' AND startsWith(address, prefix), ${prefixes})`
  return predicate(sql`arrayExists(address -> ${begins}, ${addressesIn(standIn(source))})`, [])
}

function compared(a: Value, b: Value, read: (address: Sql) => Network): Value {
  const [x, y] = [read(standIn(a)), read(standIn(b))]
  const order = onceEach(
    [x.start, y.start],
    ([m, n]) => sql`toInt64(multiIf(${m!} < ${n!}, -1, ${m!} > ${n!}, 1, 0))`,
  )
  return nullable('int', sql`if(${x.isValid} AND ${y.isValid}, ${order}, NULL)`)
}

/** True when two ranges agree in the bits of the shorter prefix. */
function matched(a: Network, b: Network, width: 32 | 128, prefix?: Value): Value {
  const shorter = sql`least(${a.bits}, ${b.bits})`
  const bits = prefix ? sql`least(${shorter}, greatest(${standIn(prefix)}, 0))` : shorter
  const valid = [a.isValid, b.isValid, ...(prefix ? [isPrefix(prefix)] : [])]
  const isMatch = agree(a.start, b.start, { bits, width })
  return nullable('bool', sql`if(${joined(valid, ' AND ')}, ${isMatch}, NULL)`)
}

interface Family {
  readonly address: (address: Sql) => Network
  readonly range: (range: Sql) => Network
  readonly width: 32 | 128
}

/** When no range matches and one of them is invalid, the result is null. */
function inAnyRange(address: Value, ranges: Value, family: Family): Value {
  const network = family.address(standIn(address))
  // The engine computes the parts of literals once.
  const each = literalTexts(ranges).map(
    (item) => matched(network, family.range(text(item)), family.width).sql,
  )
  if (each.length > 0) return nullable('bool', joinedBy('OR', each))
  const range = family.range(sql`item`)
  const isIn = sql`${range.isValid} AND ${agree(network.start, range.start, { bits: range.bits, width: family.width })}`
  const answer = once(
    textsIn(ranges),
    (items) =>
      sql`multiIf(arrayExists(item -> ${isIn}, ${items}), true, arrayExists(item -> NOT ${range.isValid}, ${items}), NULL, false)`,
  )
  return nullable('bool', sql`if(${network.isValid}, ${answer}, NULL)`)
}

/** The most ranges that are written one by one. */
const FEW_RANGES = 16

/** Returns the strings of a short literal array; an empty array for other values. */
function literalTexts({ type, constant }: Value): readonly string[] {
  if (type !== 'dynamic' || typeof constant !== 'string') return []
  const items: unknown = JSON.parse(constant)
  const isShort = Array.isArray(items) && items.length <= FEW_RANGES
  return isShort && items.every((item) => typeof item === 'string') ? items : []
}
