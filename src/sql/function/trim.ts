import { isAscii } from '../needle.js'
import { list, type Sql, sql, text } from '../sql.js'
import { derived, type Value } from '../value.js'
import { present } from './present.js'
import { around, lineRegex } from './regex.js'
import { type FunctionRow, plain } from './row.js'

type End = 'start' | 'end' | 'both'

const SPACE = '[\\t\\n\\v\\f\\r \\x{85}\\p{Z}]'
const TRIMS: Readonly<Record<End, Sql>> = {
  start: sql`trimLeft`,
  end: sql`trimRight`,
  both: sql`trimBoth`,
}

export const TRIM_SQL = {
  trim: ([cutset, source]) => trimmed('both', cutset!, source!),
  trim_end: ([cutset, source]) => trimmed('end', cutset!, source!),
  trim_end_regex: ([regex, source]) => stripped('end', lineRegex(regex!), source!),
  trim_regex: ([regex, source]) => stripped('both', lineRegex(regex!), source!),
  trim_space: plain(
    'string',
    (s) => sql`replaceRegexpAll(${s}, ${text(`^${SPACE}+|${SPACE}+$`)}, '')`,
  ),
  trim_start: ([cutset, source]) => trimmed('start', cutset!, source!),
  trim_start_regex: ([regex, source]) => stripped('start', lineRegex(regex!), source!),
} satisfies Record<string, FunctionRow>

function trimmed(end: End, cutset: Value, source: Value): Value {
  const known = cutset.constant
  if (known === '') return source
  if (typeof known === 'string' && isAscii(known)) {
    return derived('string', sql`${TRIMS[end]}(${source.sql}, ${text(known)})`, [source])
  }
  // The engine's own trim treats the set as bytes.
  return present('string', [cutset, source], (set, text) => {
    return sql`replaceRegexpAll(${text!}, ${patternOf(end, set!)}, '')`
  })
}

function patternOf(end: End, set: Sql): Sql {
  // A class without members matches nothing.
  const quoted = sql`if(empty(${set}), ${text('^\\x{0}-\\x{10ffff}')}, regexpQuoteMeta(toValidUTF8(${set})))`
  const sides = {
    start: [text('^['), quoted, text(']+')],
    end: [text('['), quoted, text(']+$')],
    both: [text('^['), quoted, text(']+|['), quoted, text(']+$')],
  }
  return sql`concat(${list(sides[end])})`
}

function stripped(end: End, regex: Value, source: Value): Value {
  let rest = source.sql
  if (end !== 'end') rest = sql`replaceRegexpOne(${rest}, ${around('^(?:', regex, ')+')}, '')`
  if (end !== 'start') rest = sql`replaceRegexpOne(${rest}, ${around('(?:', regex, ')+$')}, '')`
  return derived('string', rest, [regex, source])
}
