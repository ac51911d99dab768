import { list, type Sql, sql, text } from '../sql.js'
import { derived, nullable, once, type Value } from '../value.js'
import { indexOf, indexOfRegex } from './index-of.js'
import { present } from './present.js'
import { captures, cut, firstCapture, isWrittenOut, lineRegex, replaceRegex } from './regex.js'
import { type FunctionRow, plain } from './row.js'
import { split } from './text-parts.js'

// In addition to colors, there are window commands, which end in BEL or ESC \.
const ESCAPE_SEQUENCE =
  '\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[@-Z\\\\-_])'

export const SEARCH_SQL = {
  countof: plain('int', (lookup, s) => sql`toInt64(countSubstrings(${s}, ${lookup}))`),
  countof_regex: ([regex, source]) => countMatches(lineRegex(regex!), source!),
  extract: ([regex, group, source]) =>
    nullable('string', firstCapture(source!.sql, lineRegex(regex!), group!)),
  extract_all: ([regex, groups, source]) => extractAll(lineRegex(regex!), groups!, source!),
  indexof: indexOf,
  indexof_regex: ([source, regex, ...range]) =>
    indexOfRegex([source!, lineRegex(regex!), ...range]),
  regex_quote: plain('string', (s) => sql`regexpQuoteMeta(${s})`),
  replace_regex: ([regex, rewrite, source]) => replaceRegex(lineRegex(regex!), rewrite!, source!),
  replace_string: plain('string', (lookup, to, s) => sql`replaceAll(${s}, ${lookup}, ${to})`),
  split: ([source, delimiter]) => split(source!, delimiter!),
  strip_ansi_escapes: plain(
    'string',
    (s) => sql`replaceRegexpAll(${s}, ${text(ESCAPE_SEQUENCE)}, '')`,
  ),
  translate: ([search, replacement, source]) => translate(search!, replacement!, source!),
} satisfies Record<string, FunctionRow>

function countMatches(regex: Value, source: Value): Value {
  if (isWrittenOut(regex)) {
    return derived('int', sql`toInt64(countMatches(${source.sql}, ${regex.sql}))`, [source])
  }
  return present('int', [regex, source], (pattern, s) => {
    // As with a literal regex, empty matches do not count.
    const counted = (pieces: Sql) =>
      sql`arrayCount((piece, i) -> i % 2 = 0 AND piece != '', ${pieces}, arrayEnumerate(${pieces}))`
    return sql`toInt64(${once(cut(s!, { ...regex, sql: pattern! }), counted)})`
  })
}

/** The captures of each match: strings for one group, arrays of strings for several groups. */
function extractAll(regex: Value, groups: Value, source: Value): Value {
  const wanted: number[] = JSON.parse(String(groups.constant))
  const matches = (s: Sql, known: Value): Sql => {
    const all = captures(s, known, wanted)
    return wanted.length === 1 ? sql`arrayMap(g -> g[1], ${all})` : all
  }
  const arrays = present('dynamic', [regex, source], (pattern, s) => {
    const known = isWrittenOut(regex) ? regex : { ...regex, sql: pattern! }
    return sql`toJSONString(${matches(s!, known)})`
  })
  if (wanted.length !== 1 || !isWrittenOut(regex)) return arrays
  const elements = matches(sql`ifNull(${source.sql}, '')`, regex)
  return { ...arrays, strings: { elements, isNull: sql`isNull(${source.sql})` } }
}

/** `translate(search, replacement, source)`: a shorter replacement is extended with its last character; an empty one deletes. */
function translate(search: Value, replacement: Value, source: Value): Value {
  const [from, to] = [search.constant, replacement.constant]
  if (typeof from === 'string' && typeof to === 'string') return byLists(from, to, source)
  return present('string', [search, replacement, source], (a, b, s) => {
    // Each character becomes bytes that no text in UTF-8 contains, and these become its replacement: a lambda over the
    // characters of the source would copy both lists for each of them.
    const digits = [1n, 10n, 100n, 1_000n, 10_000n, 100_000n].map(
      (unit) => sql`245 + intDiv(i, ${unit}) % 10`,
    )
    const codes = sql`arrayMap(i -> char(255, ${list(digits)}), range(length(arrayDistinct(old))))`
    const others = sql`arrayResize(new, length(old), if(empty(new), '', new[-1]))`
    const firsts = sql`arrayFilter((other, n) -> n = 1, ${others}, arrayEnumerateUniq(old))`
    const step = sql`(s, part, other) -> replaceAll(s, part, other)`
    const marked = sql`arrayFold(${step}, arrayDistinct(old), codes, CAST(${s!}, 'String'))`
    const whole = sql`arrayMap(codes -> arrayFold(${step}, codes, ${firsts}, ${marked}), [${codes}])[1]`
    const lists = sql`[extractAll(${a!}, '(?s).')], [extractAll(${b!}, '(?s).')]`
    return sql`arrayMap((old, new) -> ${whole}, ${lists})[1]`
  })
}

function byLists(from: string, to: string, source: Value): Value {
  const replacements = [...to]
  const table = new Map<string, string>()
  for (const [i, character] of [...from].entries()) {
    const other = replacements[Math.min(i, replacements.length - 1)] ?? ''
    if (!table.has(character)) table.set(character, other)
  }
  if (table.size === 0) return source
  const lists = [text([...table.keys()].join('')), text([...table.values()].join(''))] as const
  return derived('string', sql`translateUTF8(${source.sql}, ${lists[0]}, ${lists[1]})`, [source])
}
