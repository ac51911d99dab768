import { joined, type Sql, sql, text } from '../sql.js'
import { convert } from '../type/convert.js'
import { notNull, nullable, once, type Value } from '../value.js'

/** Returns the string that a capture group of a regex matches; null when the regex does not match. */
export function captured([source, regex, group]: readonly Value[]): Value {
  const value = convert(source!, 'string')
  // The engine evaluates a shared subexpression of several captures once, but not behind an `if`, which is lazy.
  // A missing match is therefore an index beyond the end of the array: null, since its elements are nullable.
  const found = sql`extractGroups(${notNull(value)}, ${regex!.sql})`
  const groups = sql`CAST(${found}, 'Array(Nullable(String))')`
  const place = value.nullable
    ? sql`if(isNull(${value.sql}), ${BEYOND}, ${group!.sql})`
    : group!.sql
  return nullable('string', sql`arrayElement(${groups}, ${place})`)
}

/**
 * Returns the part of a string between two literal texts; null when the string does not have all the texts. The pieces are a JSON
 * array of texts, and of null for each part. As with a regex, each part is as short as possible: each text is at its first place
 * after the one before it, and a text at the end of the pattern is at the end of the string.
 */
export function delimited([source, written, index]: readonly Value[]): Value {
  const whole = convert(source!, 'string').sql
  const pieces: readonly (string | null)[] = JSON.parse(String(written!.constant))
  const place = Number(index!.constant)
  // Positions are null if a text is missing, and nulls propagate: behind an `if`, the engine would search for each part again.
  let from = sql`1`
  let part: { readonly from: Sql; readonly to: Sql | undefined } | undefined
  for (const [i, piece] of pieces.entries()) {
    if (piece === null) continue
    const isLast = i === pieces.length - 1
    const found = textAt(whole, piece, { from, isFirst: i === 0, isLast })
    if (i === place + 1) part = { from, to: found }
    from = sql`(${found} + ${Buffer.byteLength(piece)})`
  }
  const { from: start, to } = part ?? { from, to: undefined }
  if (to === undefined) return nullable('string', sql`substring(${whole}, ${start})`)
  // The last text has to be found, too.
  const length = sql`${to} - ${start} + bitAnd(${from}, 0)`
  return nullable('string', sql`substring(${whole}, ${start}, ${length})`)
}

/** Returns the position of a text from a position on, or null. */
function textAt(
  whole: Sql,
  piece: string,
  { from, isFirst, isLast }: { from: Sql; isFirst: boolean; isLast: boolean },
): Sql {
  const wanted = text(piece)
  if (isFirst && isLast) return sql`if(${whole} = ${wanted}, 1, NULL)`
  if (isFirst) return sql`if(startsWith(${whole}, ${wanted}), 1, NULL)`
  if (!isLast) return sql`nullIf(position(${whole}, ${wanted}, ${from}), 0)`
  const end = sql`length(${whole}) + 1 - ${Buffer.byteLength(piece)}`
  return sql`if(endsWith(${whole}, ${wanted}) AND ${end} >= ${from}, ${end}, NULL)`
}

/** More capture groups than any regex has. */
const BEYOND = 1_000_000

/** Returns the value of a key in `key=value;key=value`; null when the key is absent. */
export function keyed([
  source,
  key,
  pairSign,
  keySign,
  quote,
  escapeSign,
]: readonly Value[]): Value {
  const value = convert(source!, 'string')
  const signs = {
    pair: String(pairSign!.constant),
    key: String(keySign!.constant),
    quote: String(quote!.constant),
    escaped: String(escapeSign!.constant),
  }
  const pairs = piecesOf(notNull(value), signs)
  const isKey = sql`(position(pair, ${keySign!.sql}) > 0 AND trimBoth(substring(pair, 1, position(pair, ${keySign!.sql}) - 1)) = ${key!.sql})`
  const found = sql`arrayFirstOrNull(pair -> ${isKey}, ${pairs})`
  const content = once(found, (pair) => {
    const start = sql`position(${pair}, ${keySign!.sql}) + ${Buffer.byteLength(signs.key)}`
    return sql`substring(${pair}, ${start})`
  })
  return nullable('string', unquoted(content, signs))
}

interface Signs {
  readonly pair: string
  readonly key: string
  readonly quote: string
  /** The escape character. */
  readonly escaped: string
}

/** Splits into pairs; a delimiter inside quotes is part of the value. */
function piecesOf(value: Sql, { pair, quote, escaped }: Signs): Sql {
  if (quote === '') return sql`splitByString(${text(pair)}, ${value})`
  const [q, e] = [quoted(quote), quoted(escaped)]
  const inside = escaped === '' ? `[^${q}]` : `(?:${e}.|[^${q}${e}])`
  const string = `${q}${inside}*${q}`
  // Without a group, the engine finds the pairs in a fifth of the time; pairs without text are not found.
  const isCharacter = [...pair].length === 1 && !quote.startsWith(pair)
  const regex = isCharacter
    ? `(?s)(?:${string}|[^${quoted(pair)}])+`
    : `(?s)((?:${string}|.)*?)(?:${quoted(pair)}|$)`
  return sql`extractAll(${value}, ${text(regex)})`
}

function unquoted(content: Sql, { quote, escaped }: Signs): Sql {
  if (quote === '') return content
  const q = text(quote)
  return once(content, (c) => {
    const length = Buffer.byteLength(quote)
    const inner = sql`substring(${c}, ${length + 1}, length(${c}) - ${2 * length})`
    const plain =
      escaped === ''
        ? inner
        : sql`replaceRegexpAll(${inner}, ${text(`(?s)${quoted(escaped)}(.)`)}, '\\\\1')`
    const isQuoted = joined(
      [sql`length(${c}) >= ${2 * length}`, sql`startsWith(${c}, ${q})`, sql`endsWith(${c}, ${q})`],
      ' AND ',
    )
    return sql`if(${isQuoted}, ${plain}, ${c})`
  })
}

/** Escapes a character for a regex, inside and outside of brackets. */
function quoted(characters: string): string {
  return characters.replace(/[\\^$.|?*+()[\]{}-]/g, '\\$&').replaceAll('\0', '\\x00')
}
