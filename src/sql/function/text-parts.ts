import { bytes, type Sql, sql } from '../sql.js'
import { derived, once, stringArray, type Value } from '../value.js'

/** `substring(source, start, length?)`: from 0; a negative start counts from the end. */
export function substring([source, start, length]: readonly Value[]): Value {
  const parts = [source!, start!, ...(length ? [length] : [])]
  const from = firstPosition(start!)
  const rest = sql`substringUTF8(${source!.sql}, ${from})`
  if (!length) return derived('string', rest, parts)
  // `greatest` would return 0 rather than null.
  const count = once(length.sql, (n) => sql`if(${n} < 0, 0, ${n})`)
  // In front of the beginning, the engine counts characters that do not exist, except where both numbers are columns.
  const isAfter = typeof start!.constant === 'bigint' && start!.constant >= 0n
  const [text, first] = isAfter ? [source!.sql, from] : [rest, sql`1`]
  return derived('string', sql`substringUTF8(${text}, ${first}, ${count})`, parts)
}

const MAX_CHARACTERS = 0xffff_ffffn

/** The engine counts from 1. A start beyond 32 bits is past the end of any string. */
function firstPosition(start: Value): Sql {
  const known = start.constant
  if (typeof known === 'bigint') {
    const within = known < MAX_CHARACTERS ? known : MAX_CHARACTERS
    return sql`${within < 0n ? within : within + 1n}`
  }
  return once(start.sql, (n) => {
    const next = sql`if(${n} > ${MAX_CHARACTERS}, ${MAX_CHARACTERS}, ${n}) + 1`
    return sql`if(${n} < 0, ${n}, ${next})`
  })
}

/** `split(source, delimiter)`: an empty delimiter splits into characters. */
export function split(source: Value, delimiter: Value): Value {
  const parts = once(sql`ifNull(${source.sql}, '')`, (s) => {
    const characters = sql`extractAll(${s}, '(?s).')`
    if (delimiter.constant === '') return characters
    if (delimiter.constant !== undefined) return sql`splitByString(${delimiter.sql}, ${s})`
    return sql`if(${delimiter.sql} = '', ${characters}, ${splitBy(sql`ifNull(${delimiter.sql}, '')`, s)})`
  })
  const isMissing = sql`(isNull(${source.sql}) OR isNull(${delimiter.sql}))`
  return stringArray({ elements: parts, isNull: isMissing })
}

/** A byte that no text in UTF-8 contains. */
const MARK = bytes('ff')

/** The engine splits by a constant only, so each occurrence of the delimiter is replaced by a byte that the source does not contain. */
export function splitBy(delimiter: Sql, source: Sql): Sql {
  const parts = sql`splitByChar(${MARK}, replaceAll(${source}, ${delimiter}, ${MARK}))`
  return sql`if(position(${source}, ${MARK}) = 0, ${parts}, ${splitBytes(delimiter, source)})`
}

/**
 * Splits bytes that are not UTF-8. Each byte is encoded as `-2f`, which starts with a character that
 * no encoding contains elsewhere: the encoded delimiter matches at byte boundaries only, and `|` never occurs.
 */
function splitBytes(delimiter: Sql, source: Sql): Sql {
  const spelt = (value: Sql) => sql`replaceRegexpAll(hex(${value}), '(..)', '-\\\\1')`
  const marked = sql`replaceAll(${spelt(source)}, ${spelt(delimiter)}, '|')`
  return sql`arrayMap(piece -> unhex(replaceAll(piece, '-', '')), splitByChar('|', ${marked}))`
}
