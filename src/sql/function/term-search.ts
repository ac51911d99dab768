import { escapeRegex } from '../../text/escape-regex.js'
import { isAscii, longest, needleInText, needsOthers, placesInBytes } from '../needle.js'
import { joined, joinedBy, list, type Sql, sql, text } from '../sql.js'
import type { TermRule } from '../stage/term-condition.js'
import { predicate } from '../type/compare.js'
import { bind, isColumn, nonNullable, notNull, onceEach, type Value } from '../value.js'

const LETTER = '[\\p{L}\\p{N}]'
const OUTSIDE = '[^\\p{L}\\p{N}]'

/** `has` and its variants: a term is a run of letters and digits of any script. */
export function hasTerm(source: Value, term: Value, rule: TermRule): Value {
  const written = term.constant
  const test =
    typeof written === 'string'
      ? computedOnce(source.sql, (one) => knownTerm({ ...source, sql: one }, written, rule))
      : computedTerm(source, term, rule)
  return predicate(test, [source, term])
}

/** The most terms of a list that are searched one by one in strings of ASCII. */
const FEW_TERMS = 16

/** True for a written term with a letter or a digit at both ends. */
export function isWholeTerm({ constant }: Value): boolean {
  return typeof constant === 'string' && startsTerm(constant) && endsTerm(constant)
}

/** `has_any` with whole terms. One pattern for all terms takes hardly more time than the pattern of a single term. */
export function hasAnyTerm(source: Value, terms: readonly Value[], rule: TermRule): Value {
  const words = terms.map(({ constant }) => String(constant))
  const flag = rule.caseSensitive ? '' : '(?i)'
  const any = words.map(escapeRegex).join('|')
  const test = computedOnce(source.sql, (one) => {
    const matchOf = (outside: string) =>
      sql`match(${one}, ${text(`${flag}(?:^|${outside})(?:${any})(?:$|${outside})`)})`
    const isFew = words.length <= FEW_TERMS && words.every((word) => TOKEN.test(word))
    const inAscii = isFew
      ? joinedBy(
          'OR',
          words.map((word) => tokenSearch(one, word, rule)),
        )
      : matchOf('[^A-Za-z0-9]')
    return sql`if(${isInAscii({ ...source, sql: one })}, ${inAscii}, ${matchOf(OUTSIDE)})`
  })
  return predicate(test, [source])
}

/** Letters with more than two forms, of which the engine compares only one upper and one lower case: `Σ` with `σ`, not with `ς`. */
const SEVERAL_FORMS = /[ksåµßǆǉǌǳιβεθκπρσφωṡΐΰﬅвдостъѣꙋ]/iu

/** True for a string outside ASCII with letters that the engine does not compare with all of their forms. */
export function hasSeveralForms(part: string): boolean {
  return !isAscii(part) && SEVERAL_FORMS.test(part)
}

/** A case-insensitive test for a written string, in all forms of its letters. `pattern` returns the regular expression of the test. */
export function matchesFolded(
  source: Value,
  part: string,
  pattern: (part: string) => string,
): Value {
  const regex = text(`(?i)${pattern(escapeRegex(part))}`)
  const piece = longest(part.split(SEVERAL_FORMS))
  const test = computedOnce(source.sql, (one) => {
    const exact = sql`match(${one}, ${regex})`
    // Most strings fail a test that takes a tenth of the time.
    if (piece !== '') {
      return sql`(positionCaseInsensitiveUTF8(${one}, ${text(piece)}) > 0 AND ${exact})`
    }
    return needsOthers(part) ? sql`(NOT ${isInAscii({ ...source, sql: one })} AND ${exact})` : exact
  })
  return predicate(test, [source])
}

/** True for nulls, too: a test for other strings would take its time for each of them. */
function isInAscii(source: Value): Sql {
  return sql`isASCII(${nonNullable(source)})`
}

/** Computes a value once: the engine may skip a part of the tests, and computes what is no column again in each part. */
function computedOnce(source: Sql, body: (one: Sql) => Sql): Sql {
  return isColumn(source) ? body(source) : bind(source, body)
}

function knownTerm(value: Value, term: string, rule: TermRule): Sql {
  const { sql: source } = value
  if (rule.start && rule.end && TOKEN.test(term)) {
    const exact = sql`match(${source}, ${patternIn(OUTSIDE, term, rule)})`
    // For a second operand of OR, the engine would copy the strings without the token.
    return sql`if(${isInAscii(value)}, ${tokenSearch(source, term, rule)}, ${exact})`
  }
  const exact = matches(source, term, rule)
  // The engine does not find an empty needle in an empty string.
  if (term === '') return exact
  const needle = needleInText(term, rule.caseSensitive)
  // Searching bytes is up to ten times as fast as the regular expression, which the engine evaluates only for strings that pass.
  const places = placesInBytes(nonNullable(value), needle, rule.caseSensitive)
  // A sum: for each operand of OR, the engine copies the strings for which the operands before it are false.
  return sql`((${joined(places, ' + ')}) > 0 AND ${exact})`
}

const TOKEN = /^[A-Za-z0-9]+$/

/**
 * Returns a test for strings in ASCII. The token search is ten times as fast as a pattern and has no false positives. It misses terms
 * next to a character outside ASCII, because it treats all such characters as letters.
 */
function tokenSearch(source: Sql, term: string, { caseSensitive }: TermRule): Sql {
  const token = caseSensitive ? sql`hasToken` : sql`hasTokenCaseInsensitive`
  return sql`${token}(${source}, ${text(term)})`
}

/**
 * Returns an exact test. Strings in ASCII are tested with a simpler pattern: the engine compiles a pattern for each block of rows,
 * which takes milliseconds for classes of Unicode.
 */
function matches(source: Sql, term: string, rule: TermRule): Sql {
  const exact = sql`match(${source}, ${patternIn(OUTSIDE, term, rule)})`
  if (/[\u0080-\uffff]/.test(term)) return exact
  const inAscii = sql`match(${source}, ${patternIn('[^A-Za-z0-9]', term, rule)})`
  return sql`if(isASCII(${source}), ${inAscii}, ${exact})`
}

/** Returns the pattern of a term in strings, in which `outside` matches the characters that are no letters or digits. */
function patternIn(outside: string, term: string, { start, end, caseSensitive }: TermRule): Sql {
  return text(
    `${caseSensitive ? '' : '(?i)'}${start && startsTerm(term) ? `(?:^|${outside})` : ''}` +
      `${escapeRegex(term)}${end && endsTerm(term) ? `(?:$|${outside})` : ''}`,
  )
}

function startsTerm(term: string): boolean {
  return /^[\p{L}\p{N}]/u.test(term)
}

function endsTerm(term: string): boolean {
  return /[\p{L}\p{N}]$/u.test(term)
}

/** Compiling the pattern of a row takes 10 µs: strings and terms in ASCII are compared without one where possible. */
function computedTerm(source: Value, term: Value, rule: TermRule): Sql {
  const [position, fold] = rule.caseSensitive
    ? [sql`position`, (one: Sql) => one]
    : [sql`positionCaseInsensitive`, (one: Sql) => sql`lower(${one})`]
  return onceEach([source.sql, term.sql], ([s, t]) => {
    const exact = sql`match(${s!}, ${patternOf(t!, rule)})`
    const [text, part] = [notNull({ ...source, sql: s! }), notNull({ ...term, sql: t! })]
    const inAscii = sql`isASCII(${text}) AND isASCII(${part})`
    const isMissing = sql`${inAscii} AND ${position}(${text}, ${part}) = 0`
    if (!rule.start || !rule.end) return sql`if(${isMissing}, 0, ${exact})`
    const isToken = sql`${inAscii} AND match(${part}, '^[A-Za-z0-9]+$')`
    const found = sql`has(tokens(${fold(text)}), ${fold(part)})`
    return sql`multiIf(${isMissing}, 0, ${isToken}, ${found}, ${exact})`
  })
}

/** Returns the pattern of a computed term, which the engine builds. */
function patternOf(term: Sql, rule: TermRule): Sql {
  const pieces = [sql`regexpQuoteMeta(${term})`]
  if (!rule.caseSensitive) pieces.unshift(text('(?i)'))
  if (rule.start) pieces.splice(-1, 0, edge(term, `^${LETTER}`, `(?:^|${OUTSIDE})`))
  if (rule.end) pieces.push(edge(term, `${LETTER}$`, `(?:$|${OUTSIDE})`))
  return sql`concat(${list(pieces)})`
}

function edge(term: Sql, test: string, boundary: string): Sql {
  return sql`if(match(${term}, ${text(test)}), ${text(boundary)}, '')`
}
