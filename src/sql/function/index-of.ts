import { type Sql, sql } from '../sql.js'
import { derived, once, type Value } from '../value.js'
import { present, presentOrNull } from './present.js'
import { cut } from './regex.js'
import { splitBy } from './text-parts.js'

/** `indexof(source, lookup, start?, length?, occurrence?)`: counted in characters from 0. */
export function indexOf(values: readonly Value[]): Value {
  const [, , start, length] = values
  if (!length && isPosition(start)) return derived('int', firstFrom(values), values)
  const search = length ? presentOrNull : present
  return search('int', values, (text, part, from, count, which) => {
    const begin = once(sql`lengthUTF8(${text})`, (n) => startIn(n, from!))
    const found = once(begin, (at) =>
      once(splitBy(part!, windowOf(text!, at, count)), (pieces) =>
        occurrence(at, pieces, part!, which ?? sql`1`),
      ),
    )
    const isInside = sql`${from} <= toInt64(lengthUTF8(${text}))`
    const place = sql`if(${part} = '', if(${isInside}, ${begin}, -1), ${found})`
    return length ? sql`if(${isRange({ count, which })}, ${place}, NULL)` : place
  })

  function firstFrom([text, part, from]: readonly Value[]): Sql {
    const position = from ? sql`, toUInt64(${from.sql} + 1)` : sql``
    return sql`(toInt64(positionUTF8(${text!.sql}, ${part!.sql}${position})) - 1)`
  }
}

/** True when the start is absent, or a literal that does not count from the end. */
function isPosition(start: Value | undefined): boolean {
  return !start || (typeof start.constant === 'bigint' && start.constant >= 0n)
}

/** A negative start counts from the end. */
function startIn(size: Sql, from: Sql): Sql {
  return sql`toInt64(least(toInt64(${size}), if(${from} < 0, greatest(toInt64(${size}) + ${from}, 0), ${from})))`
}

function windowOf(text: Sql, at: Sql, count: Sql | undefined): Sql {
  const rest = sql`substringUTF8(${text}, ${at} + 1)`
  return count ? sql`if(${count} < 0, ${rest}, substringUTF8(${text}, ${at} + 1, ${count}))` : rest
}

function occurrence(at: Sql, pieces: Sql, part: Sql, which: Sql): Sql {
  const before = sql`arraySum(p -> lengthUTF8(p), arraySlice(${pieces}, 1, ${which}))`
  const place = sql`toInt64(${at} + ${before} + (${which} - 1) * lengthUTF8(${part}))`
  return sql`if(length(${pieces}) > ${which}, ${place}, -1)`
}

/** True when the length is a number of characters or -1, and the occurrence is valid. */
function isRange({ count, which }: { count: Sql | undefined; which: Sql | undefined }): Sql {
  const fits = count ? sql`${count} >= -1` : sql`true`
  return which ? sql`(${fits} AND ${which} >= 1)` : sql`(${fits})`
}

/** `indexof_regex(source, regex, start?, occurrence?, length?)`: null for a negative start. */
export function indexOfRegex(values: readonly Value[]): Value {
  const [, regex, start] = values
  const search = start ? presentOrNull : present
  return search('int', values, (text, pattern, from, which, count) => {
    // With a negative literal, the engine returns 128 bits, which its functions do not accept, also where they are not called.
    const at = from ? sql`toInt64(least(${from}, 4294967296))` : sql`0`
    const number = which ? sql`toInt64(least(${which}, 4294967296))` : sql`1`
    const known = { ...regex!, sql: regex!.constant === undefined ? pattern! : regex!.sql }
    const window = from ? windowOf(text!, at, count) : text!
    const found = once(cut(window, known), (pieces) => {
      const before = sql`arraySum(p -> lengthUTF8(p), arraySlice(${pieces}, 1, 2 * ${number} - 1))`
      return sql`if(length(${pieces}) > 2 * ${number}, toInt64(${at} + ${before}), -1)`
    })
    if (!from) return found
    return sql`if(${from} >= 0 AND ${isRange({ count, which })}, ${found}, NULL)`
  })
}
