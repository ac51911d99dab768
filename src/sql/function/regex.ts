import { bytes, list, type Sql, sql, text } from '../sql.js'
import { derived, once, type Value } from '../value.js'
import { splitBy } from './text-parts.js'

// The engine's functions that search for matches require a constant regex. For a computed one,
// matches are found by replacing them, which the engine supports for any regex.

/** The regex with a prefix and a suffix; a literal stays a literal. */
export function around(prefix: string, regex: Value, suffix: string): Sql {
  const known = regex.constant
  if (typeof known === 'string') return text(`${prefix}${known}${suffix}`)
  return sql`concat(${list([text(prefix), regex.sql, text(suffix)])})`
}

/**
 * A regex of the query: as in RE2, a dot matches a line break only under the flag `s`. The engine sets
 * that flag by default.
 */
export function lineRegex(regex: Value): Value {
  if (isWrittenOut(regex) && !String(regex.constant).includes('.')) return regex
  const pattern = around('(?-s)', regex, '')
  return isWrittenOut(regex)
    ? { ...regex, sql: pattern, constant: `(?-s)${String(regex.constant)}` }
    : { ...regex, sql: pattern }
}

/** True when the regex is known before the query runs. */
export function isWrittenOut({ constant }: Value): boolean {
  return typeof constant === 'string'
}

/**
 * True when a regex may match the empty text. JavaScript reads a regex of RE2 in the same way, or throws, as for flags. For
 * other regexes, marks for empty matches would cost half as much again.
 */
function mayBeEmpty({ constant }: Value): boolean {
  if (typeof constant !== 'string') return true
  try {
    return new RegExp(constant.replace(/^\(\?-s\)/, ''), 'u').test('')
  } catch {
    return true
  }
}

/** Returns the captures of each match as an array of arrays; group 0 is the match. */
export function captures(source: Sql, regex: Value, groups: readonly number[]): Sql {
  if (isWrittenOut(regex)) {
    const items = list(groups.map((group) => sql`m[${group + 1}]`))
    const all = sql`extractAllGroupsVertical(${source}, ${around('(', regex, ')')})`
    return sql`arrayMap(m -> [${items}], ${all})`
  }
  const rewrite = groups.map((group) => sql`${text(`\\${group}`)}, sign, ','`)
  return matchesBy(source, regex, list(rewrite), (match) => {
    return sql`arrayPopBack(${splitBy(sql`concat(sign, ',')`, match)})`
  })
}

/** Replaces each match by the requested part between markers that the string does not contain, and splits at them. */
function matchesBy(source: Sql, regex: Value, rewrite: Sql, of: (match: Sql) => Sql): Sql {
  const found = sql`arrayFilter((piece, i) -> i % 2 = 0, pieces, arrayEnumerate(pieces))`
  const replaced = replaceMatches(source, regex, sql`concat(${EDGE}, ${rewrite}, ${EDGE})`)
  const parts = sql`arrayMap(piece -> ${of(sql`piece`)}, ${found})`
  const taken = sql`arrayMap(pieces -> ${parts}, [${splitBy(EDGE, replaced)}])[1]`
  return sql`arrayMap(sign -> ${taken}, [${signOf(source)}])[1]`
}

/** Splits a string at the edges of each match: between, match, between, match, …, between. */
export function cut(source: Sql, regex: Value): Sql {
  const replaced = replaceMatches(source, regex, sql`concat(${EDGE}, '\\\\0', ${EDGE})`)
  return sql`arrayMap(sign -> ${splitBy(EDGE, replaced)}, [${signOf(source)}])[1]`
}

/** Precedes and follows a match. Only marks contain `sign`, so its next character distinguishes them. */
const EDGE = sql`concat(sign, '|')`

/**
 * Replaces each match. After an empty match, the engine continues at the next byte: rewrites within a character, which
 * precede a continuation byte, are dropped.
 */
function replaceMatches(
  source: Sql,
  regex: Value,
  rewrite: Sql,
  // Without the parentheses, the engine does not find empty matches.
  pattern = around('(?:', regex, ')'),
): Sql {
  const plain = sql`replaceRegexpAll(${source}, ${pattern}, ${rewrite})`
  if (!mayBeEmpty(regex)) return plain
  const mark = sql`concat(sign, '+')`
  const marked = sql`replaceRegexpAll(${source}, ${pattern}, concat(${mark}, ${rewrite}, ${mark}))`
  const isKept = sql`i % 2 = 1 OR bitAnd(reinterpretAsUInt8(next), 192) != 128`
  const kept = sql`arrayFilter((part, next, i) -> ${isKept}, parts, arrayShiftLeft(parts, 1), arrayEnumerate(parts))`
  const whole = sql`arrayMap(parts -> arrayStringConcat(${kept}), [${splitBy(mark, marked)}])[1]`
  const splits = sql`match('', ${regex.sql}) AND length(${source}) != lengthUTF8(${source})`
  return sql`if(${splits}, ${whole}, ${plain})`
}

/** Returns a string that `source` does not contain: a byte that is not in UTF-8, or its own hash. */
function signOf(source: Sql): Sql {
  const hash = sql`concat('<', lower(hex(SHA256(${source}))), '>')`
  return sql`if(position(${source}, ${SIGN}) = 0, ${SIGN}, ${hash})`
}

/** A byte that no text in UTF-8 contains, and that differs from the mark of `splitBy`. */
const SIGN = bytes('fe')

/** Returns a capture group of the first match; null without a match. */
export function firstCapture(source: Sql, regex: Value, group: Value): Sql {
  const found = sql`match(${source}, ${regex.sql})`
  if (isWrittenOut(regex)) {
    const first = group.constant === 0n ? around('(', regex, ')') : regex.sql
    // `extract` takes a third of the time, but reads the first group only, or the match if there is no group.
    if (group.constant === 0n || (group.constant === 1n && hasGroup(String(regex.constant)))) {
      return sql`if(${found}, extract(${source}, ${first}), NULL)`
    }
    return sql`if(${found}, regexpExtract(${source}, ${regex.sql}, ${group.sql}), NULL)`
  }
  const whole = around('^(?s:.*?)(', regex, ')(?s:.*)$')
  const reference = once(group.sql, groupReference)
  return sql`if(${found}, replaceRegexpOne(${source}, ${whole}, ${reference}), NULL)`
}

/** Characters of a regex that are not parentheses of groups: escaped characters, and characters in brackets. */
const LITERAL = /\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/gs
const GROUP = /\((?!\?)|\(\?P?</

/** True when a regex surely has a capture group. */
function hasGroup(regex: string): boolean {
  return !regex.includes('\\Q') && GROUP.test(regex.replace(LITERAL, ''))
}

/** A rewrite supports nine groups, plus the match as group 0; a higher number fails like a missing group. */
function groupReference(group: Sql): Sql {
  // With constants only, the engine would compute it for every group number.
  const missing = sql`regexpExtract(materialize(''), '()', toInt64(${group}))`
  return sql`if(${group} BETWEEN 0 AND 8, concat('\\\\', toString(${group} + 1)), ${missing})`
}

/** `replace_regex(regex, rewrite, source)`: `$1` in the rewrite is the first group. */
export function replaceRegex(regex: Value, rewrite: Value, source: Value): Value {
  const pattern = isCopied(rewrite) ? regex.sql : around('(?:', regex, ')')
  const replace = (s: Sql) => replaceMatches(s, regex, rewriteOf(rewrite), pattern)
  const replaced = mayBeEmpty(regex)
    ? once(source.sql, (s) => sql`arrayMap(sign -> ${replace(s)}, [${signOf(s)}])[1]`)
    : replace(source.sql)
  return derived('string', replaced, [regex, rewrite, source])
}

/**
 * True for a rewrite without groups and backslashes. The engine copies every rewrite as it is when the
 * regex has no special characters; parentheses prevent that.
 */
function isCopied({ constant }: Value): boolean {
  return typeof constant === 'string' && !/[\\$]/.test(constant)
}

/** The engine uses `\1` for the group and `\\` for a backslash. */
function rewriteOf(rewrite: Value): Sql {
  if (typeof rewrite.constant === 'string') {
    return text(rewrite.constant.replaceAll('\\', '\\\\').replace(/\$(\d)/g, '\\$1'))
  }
  const escaped = sql`replaceAll(${rewrite.sql}, ${text('\\')}, ${text('\\\\')})`
  return sql`replaceRegexpAll(${escaped}, ${text('\\$([0-9])')}, ${text('\\\\\\1')})`
}
