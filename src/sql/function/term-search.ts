import { joined, type Sql, sql, text } from '../sql.js'
import { predicate } from '../type/compare.js'
import { once, type Value } from '../value.js'

/** Where a term must stand in a text. */
export interface TermRule {
  /** It begins where a term of the text begins. */
  readonly start: boolean
  /** It ends where a term of the text ends. */
  readonly end: boolean
  readonly caseSensitive: boolean
}

const LETTER = '[\\p{L}\\p{N}]'
const OUTSIDE = '[^\\p{L}\\p{N}]'

/** `has` and its kin: a term is a run of letters and digits, whatever the script. */
export function hasTerm(source: Value, term: Value, rule: TermRule): Value {
  const written = term.constant
  const test =
    typeof written === 'string'
      ? once(source.sql, (one) => knownTerm(one, written, rule))
      : sql`match(${source.sql}, ${patternOf(term.sql, rule)})`
  return predicate(test, [source, term])
}

function knownTerm(source: Sql, term: string, rule: TermRule): Sql {
  const pattern = text(
    `${rule.caseSensitive ? '' : '(?i)'}${rule.start && startsTerm(term) ? `(?:^|${OUTSIDE})` : ''}` +
      `${quoted(term)}${rule.end && endsTerm(term) ? `(?:$|${OUTSIDE})` : ''}`,
  )
  const slow = sql`match(${source}, ${pattern})`
  if (!rule.start || !rule.end || !/^[A-Za-z0-9]+$/.test(term)) return slow
  // The token search is ten times as fast, and what it finds is a term. What it misses stands beside
  // a character outside ASCII, all of which it takes for letters.
  const token = rule.caseSensitive ? sql`hasToken` : sql`hasTokenCaseInsensitive`
  return sql`(${token}(${source}, ${text(term)}) OR (NOT isASCII(${source}) AND ${slow}))`
}

function startsTerm(term: string): boolean {
  return /^[\p{L}\p{N}]/u.test(term)
}

function endsTerm(term: string): boolean {
  return /[\p{L}\p{N}]$/u.test(term)
}

function quoted(term: string): string {
  return term.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('\0', '\\x00')
}

/** The same pattern, made where the term is known: in the engine. */
function patternOf(term: Sql, rule: TermRule): Sql {
  const pieces = [sql`regexpQuoteMeta(${term})`]
  if (!rule.caseSensitive) pieces.unshift(text('(?i)'))
  if (rule.start) pieces.splice(-1, 0, edge(term, `^${LETTER}`, `(?:^|${OUTSIDE})`))
  if (rule.end) pieces.push(edge(term, `${LETTER}$`, `(?:$|${OUTSIDE})`))
  return sql`concat(${joined(pieces, ', ')})`
}

function edge(term: Sql, test: string, boundary: string): Sql {
  return sql`if(match(${term}, ${text(test)}), ${text(boundary)}, '')`
}
