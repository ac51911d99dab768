import { lineRegex } from '../function/regex.js'
import { list, type Sql, sql, text } from '../sql.js'
import { json } from '../type/convert.js'
import { derived, once, type Value } from '../value.js'

// Temporary markers around the strings to redact: long and unusual enough not to occur
// in an event.
const OPEN = '\u0001evq-hide\u0002'
const CLOSE = '\u0003evq-hide\u0004'

/**
 * Redacts the matches of a regex. Every part of the regex is a capture group, and `hidden` marks with
 * an `x` each group that is redacted.
 */
export function redacted([value, regex, hidden, token, hashes]: readonly Value[]): Value {
  const marked = text(markers(String(hidden!.constant)))
  const cover = coverOf(String(token!.constant), hashes!.constant === true)
  const pattern = lineRegex(regex!).sql
  const hide = (source: Sql) =>
    covered(sql`replaceRegexpAll(${source}, ${pattern}, ${marked})`, cover)
  if (value!.type !== 'dynamic') {
    const hiddenText = value!.nullable
      ? sql`if(isNull(${value!.sql}), NULL, ${hide(value!.sql)})`
      : hide(value!.sql)
    return derived('string', hiddenText, [value!])
  }
  // Of a field with several types, only the strings are redacted.
  const isText = (d: Sql) => sql`startsWith(${d}, '"')`
  const mixed = once(
    value!.sql,
    (d) => sql`if(${isText(d)}, ${json(hide(sql`JSONExtractString(${d})`))}, ${d})`,
  )
  return derived('dynamic', mixed, [value!])
}

function markers(hidden: string): string {
  const groups = [...hidden].map((sign, i) =>
    sign === 'x' ? `${OPEN}\\${i + 1}${CLOSE}` : `\\${i + 1}`,
  )
  return groups.join('')
}

/** The replacement of a redacted string. */
function coverOf(token: string, hashes: boolean): (part: Sql) => Sql {
  if (hashes) return (part) => sql`substring(base64Encode(MD5(${part})), 1, 8)`
  if ([...token].length === 1) return (part) => sql`repeat(${text(token)}, lengthUTF8(${part}))`
  return () => text(token)
}

/** Splits at the markers; odd pieces are between an opening and a closing marker. */
function covered(marked: Sql, cover: (part: Sql) => Sql): Sql {
  const close = text(CLOSE)
  const hidden = sql`substring(piece, 1, position(piece, ${close}) - 1)`
  const rest = sql`substring(piece, position(piece, ${close}) + ${CLOSE.length})`
  // A regex can match the empty string, between any two characters.
  const put = sql`if(${hidden} = '', '', ${cover(hidden)})`
  const piece = sql`if(position(piece, ${close}) = 0, piece, concat(${list([put, rest])}))`
  return sql`arrayStringConcat(arrayMap(piece -> ${piece}, splitByString(${text(OPEN)}, ifNull(${marked}, ''))))`
}
