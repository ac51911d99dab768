import type {
  CheckedExpression,
  CheckedOperator,
  Column,
  Invocation,
} from '../../apl/check/checked.js'
import { pathKey } from '../../wire/json/field-path.js'
import { type FieldLayout, type Layout, layoutsByName } from '../layout.js'
import { longest } from '../needle.js'
import { joinedBy, list, type Sql, sql, text } from '../sql.js'
import { ESCAPED_TOKEN, isJson, LINE, type TokenIndex, tokensOf } from '../token-index.js'
import { leadingPredicates } from './prefilter.js'
import { anyPart, type SearchParts } from './search-parts.js'
import { MOST_LISTED, superset, type TermRule, termRule, testOfOne } from './term-condition.js'

// Conditions by which the engine skips granules that do not have the tokens of a term. A token of a term counts when each string
// with the term has it as a complete token, which is then in the index.

/** The token indexes of a dataset, and the columns of a query. */
export interface TokenSource {
  fieldOf(column: number): FieldLayout | undefined
  readonly indexes: readonly TokenIndex[]
  /** The column with the stored text of events. */
  readonly line: Sql
}

export function tokenSource(columns: readonly Column[], layout: Layout, line: Sql): TokenSource {
  const fields = layoutsByName(layout)
  const byId = new Map(columns.map(({ id, name }) => [id, fields.get(name)]))
  return { fieldOf: (id) => byId.get(id), indexes: layout.tokenIndexes ?? [], line }
}

/** Returns the condition by which granules are skipped, if there is one: it is true for all events of the other granules. */
export function tokenFilters(
  operators: readonly CheckedOperator[],
  source: TokenSource,
  searches: SearchParts,
): readonly Sql[] {
  if (source.indexes.length === 0) return []
  const all = leadingPredicates(operators).map((predicate) => {
    const parts = searches.get(predicate)
    const tokens = (test: Invocation) => tokensIn(test, source)
    return parts ? anyPart(parts, tokens) : superset(predicate, tokens)
  })
  const known = all.filter((one) => one !== undefined)
  // Tokens of a field that two hints had in common would be computed for each event.
  return known.length === 0 ? [] : [onlyInIndex(joinedBy('AND', known))]
}

/** Returns a condition about tokens for the selection of granules. */
export function onlyInIndex(condition: Sql): Sql {
  // When the engine selects granules, `indexHint(false)` is false, and the indexes decide about the condition. When it filters
  // events, the hint is true, so that their tokens are never computed. As the argument of the hint, the engine would not recognize
  // a condition with constants.
  return sql`(indexHint(false) OR ${condition})`
}

/** Returns the index that has all values of a field. */
export function indexOf(field: CheckedExpression, source: TokenSource): TokenIndex | undefined {
  const strings = placesOf([field], source)?.strings
  return strings && source.indexes.find(({ columns }) => isSubset(strings, columns))
}

/** The ends of a term that are also ends of a token in the searched string. */
type Ends = Pick<TermRule, 'start' | 'end'>

const BOTH: Ends = { start: true, end: true }

/** Returns a condition about tokens that is true if the test of a term, or of a list of terms, is; undefined if there is none. */
export function tokensIn(
  { function: operator, arguments: [place, ...items] }: Invocation,
  source: TokenSource,
): Sql | undefined {
  if (items.length > MOST_LISTED) return undefined
  const name = testOfOne(operator)
  const ends = name === '==' ? BOTH : termRule(name)
  const terms = items.flatMap((item) => (item.kind === 'constant' ? [item.value] : []))
  const strings = terms.filter((term) => typeof term === 'string')
  if (ends === undefined || place === undefined || strings.length < items.length) return undefined
  const isJoined = place.kind === 'invocation' && place.function === 'joined'
  const places = placesOf(isJoined ? place.arguments : [place], source)
  // A value of another type that equals a string need not have its form.
  if (name === '==' && places?.hasOthers !== false) return undefined
  const tokens = strings.map((term) => completeTokens(term, ends))
  return places && inPlaces(tokens, places, source)
}

/** The columns in which the values of some fields are stored. */
interface Places {
  readonly strings: ReadonlySet<string>
  /** True when there are values that are not strings, and therefore not in an index. */
  readonly hasOthers: boolean
}

/** Returns undefined when the values are not stored as they are. */
function placesOf(fields: readonly CheckedExpression[], source: TokenSource): Places | undefined {
  const strings = new Set<string>()
  let hasOthers = false
  for (const each of fields) {
    const field = each.kind === 'reference' ? source.fieldOf(each.column) : undefined
    if (field === undefined) return undefined
    const leaves = field.inColumns ?? []
    // The text of an object has keys and escapes, which are not in the columns.
    if (field.paths.length === 0 && field.type === 'dynamic') return undefined
    const paths = field.paths.map(pathKey)
    if (!leaves.every(({ path }) => paths.includes(pathKey(path)))) return undefined
    const typed = field.column === undefined ? leaves : [{ column: field.column, type: field.type }]
    for (const { column, type } of typed) {
      // An array has strings and other values.
      if (type === 'string' || type === 'dynamic') strings.add(column)
      if (type !== 'string') hasOthers = true
    }
    if (field.column !== undefined) continue
    strings.add(LINE)
    hasOthers = true
  }
  return { strings, hasOthers }
}

/** Shorter tokens are too frequent to exclude anything. */
const MIN_LENGTH = 3
/** Tokens that a number, a time, a boolean or null may have, possibly in another form than in the JSON text. */
const IN_OTHERS = /^(?:\d*[et]?\d*z?|inf|nan|true|false|null)$/

/** Returns a condition that is true when all tokens of one of several terms are in some places. */
function inPlaces(
  terms: readonly (readonly string[])[],
  { strings, hasOthers }: Places,
  { indexes, line }: TokenSource,
): Sql | undefined {
  const own = terms.map((tokens) => tokens.filter((token) => !IN_OTHERS.test(token)))
  const counted = hasOthers ? own : terms
  const isLong = (token: string): boolean => token.length >= MIN_LENGTH
  if (terms.length === 0 || !counted.every((tokens) => tokens.some(isLong))) return undefined
  const used = indexes.filter(({ columns }) => columns.some((name) => strings.has(name)))
  const covered = new Set(used.flatMap(({ columns }) => columns))
  // The engine reads the columns of each condition: an index of other columns than the searched ones costs more than it saves.
  if (used.length === 0 || !isSameSet(covered, strings)) return undefined
  const tests = used.map((index) => {
    const found = tokensOf(index, line)
    return index.columns.some(isJson) ? hasTokensOfText(found, own) : hasTokens(found, terms)
  })
  return joinedBy('OR', tests)
}

function isSubset(one: ReadonlySet<string>, all: readonly string[]): boolean {
  return one.size > 0 && [...one].every((name) => all.includes(name))
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name))
}

/** Of several terms, only the longest token of each is looked for. */
function hasTokens(found: Sql, terms: readonly (readonly string[])[]): Sql {
  const [only = [], ...others] = terms
  const tokens = others.length === 0 ? only : terms.map(longest)
  if (tokens.length === 1) return sql`has(${found}, ${text(tokens[0]!)})`
  const test = others.length === 0 ? sql`hasAll` : sql`hasAny`
  return sql`${test}(${found}, [${list(tokens.map(text))}])`
}

function hasTokensOfText(found: Sql, tokens: readonly (readonly string[])[]): Sql {
  const isEscaped = sql`has(${found}, ${text(ESCAPED_TOKEN)})`
  return sql`(${hasTokens(found, tokens)} OR ${isEscaped})`
}

/** Returns the tokens of a term that are tokens of each string with the term. */
export function completeTokens(term: string, ends: Ends): readonly string[] {
  const isSeparator = (character: string | undefined): boolean | undefined =>
    // A character outside ASCII may match a letter of ASCII when case is ignored.
    character === undefined ? undefined : character <= '\x7f'
  const tokens = [...term.matchAll(/[A-Za-z0-9]+/g)].filter(({ 0: token, index }) => {
    const isStart = isSeparator(term[index - 1]) ?? ends.start
    const isEnd = isSeparator(term[index + token.length]) ?? ends.end
    return isStart && isEnd
  })
  return [...new Set(tokens.map(([token]) => token.toLowerCase()))]
}
