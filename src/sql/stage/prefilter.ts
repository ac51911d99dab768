import type {
  CheckedExpression,
  CheckedOperator,
  CheckedWhere,
  Invocation,
} from '../../apl/check/checked.js'
import type { Type } from '../../apl/type.js'
import { escapeRegex } from '../../text/escape-regex.js'
import { keepsEvents } from '../matched.js'
import { isAscii, needleInJson, needleInText, placesInBytes } from '../needle.js'
import { type Cell, type InText, isDocument } from '../rows.js'
import { joined, type Sql, sql, text } from '../sql.js'
import { LINE } from '../token-index.js'
import { asText } from '../type/convert.js'
import { nonNullable, type Value } from '../value.js'
import { operandsOf } from '../walk.js'
import { anyPart, type SearchParts } from './search-parts.js'
import { superset, type TermRule, termRule } from './term-condition.js'

// Searching the bytes of columns for a term is up to ten times as fast as finding it as a word, and does not need the values
// of fields in the text of an event. Therefore the events that can contain the term are determined first.

/**
 * Returns conditions that are true for all events of a dataset that the operators keep, and that are faster to test than the
 * conditions of the operators.
 */
export function prefilters(
  operators: readonly CheckedOperator[],
  columns: Columns,
  searches: SearchParts,
): readonly Sql[] {
  return leadingPredicates(operators).flatMap((predicate) => {
    const parts = searches.get(predicate)
    const bytes = (test: CheckedExpression) => bytesOf(test, columns)
    return (parts ? anyPart(parts, bytes) : bytes(predicate)) ?? []
  })
}

/** Returns a filter that tests the bytes of columns, if there is a condition about them, before an exact condition. */
export function bytesFirst(bytes: Sql | undefined, exact: Sql): Sql {
  // One condition: the engine reads and tests several of them in an order of its own.
  return bytes === undefined ? exact : sql`if(${bytes}, ${exact}, false)`
}

/** Returns the predicates that all events of a dataset must fulfill to be kept. */
export function leadingPredicates(
  operators: readonly CheckedOperator[],
): readonly CheckedExpression[] {
  const end = operators.findIndex((operator) => !keepsEvents(operator))
  const leading = end === -1 ? operators : operators.slice(0, end)
  return leading.flatMap((operator) => (operator.kind === 'where' ? conjuncts(operator) : []))
}

/** Returns the conditions of `where` that must all be true. */
export function conjuncts({ predicate }: CheckedWhere): readonly CheckedExpression[] {
  const isAnd = predicate.kind === 'invocation' && predicate.function === 'and'
  return isAnd ? operandsOf(predicate) : [predicate]
}

type Columns = ReadonlyMap<number, Cell>

/** Returns a condition about the bytes of columns that is true if the predicate is; undefined if there is none. */
export function bytesOf(predicate: CheckedExpression, columns: Columns): Sql | undefined {
  return superset(predicate, (test) => {
    const rule = termRule(test.function)
    return rule && termIn(test, rule, columns)
  })
}

interface Search extends TermRule {
  readonly term: string
}

function termIn(
  { function: name, arguments: [place, right] }: Invocation,
  rule: TermRule,
  columns: Columns,
): Sql | undefined {
  const term = right?.kind === 'constant' ? right.value : undefined
  if (place === undefined || typeof term !== 'string' || term === '') return undefined
  if (place.kind === 'invocation' && place.function === 'joined') {
    return inAny(place.arguments, { ...rule, term }, columns)
  }
  const cell = place.kind === 'reference' ? columns.get(place.column) : undefined
  const isString = cell?.kind === 'stored' && cell.value.type === 'string'
  // Of the tests of a string column, only two take longer than a search of bytes, with characters outside ASCII.
  const isSlow = (name === 'startswith' || name === 'endswith') && !isAscii(term)
  if (isString && !isSlow) return undefined
  return inAny([place], { ...rule, term }, columns)
}

function inAny(
  places: readonly CheckedExpression[],
  search: Search,
  columns: Columns,
): Sql | undefined {
  const found = new Map<string, Sql>()
  for (const place of places) {
    const cell = place.kind === 'reference' ? columns.get(place.column) : undefined
    const numbers = cell && inCell(cell, search)
    if (numbers === undefined) return undefined
    for (const number of numbers) found.set(number.text, number)
  }
  return sql`(${sumOf([...found.values()])} > 0)`
}

/** The summands of a sum. The stack of the engine would not suffice for a sum of thousands. */
const SUMMANDS = 16

/** Returns a sum of sums. It takes less time than OR, for which the engine copies the remaining rows for each operand. */
function sumOf(numbers: readonly Sql[]): Sql {
  const sums = Array.from({ length: Math.ceil(numbers.length / SUMMANDS) }, (_, i) => {
    const summands = numbers.slice(i * SUMMANDS, (i + 1) * SUMMANDS)
    return sql`(${joined(summands, ' + ')})`
  })
  return sums.length > 1 ? sumOf(sums) : (sums[0] ?? sql`0`)
}

/** Returns expressions of which at least one is not 0 if the value has the term; undefined when there are no such expressions. */
function inCell(cell: Cell, search: Search): readonly Sql[] | undefined {
  switch (cell.kind) {
    case 'stored':
      return cell.value.type === 'dynamic'
        ? inJson(nonNullable(cell.value), 'dynamic', search)
        : inStored({ ...cell.value, sql: nonNullable(cell.value) }, search)
    case 'text':
      return inText(cell, search)
    case 'computed':
      return undefined
    default:
      return cell satisfies never
  }
}

/** Searches the text that has the value, and the columns that hold it in some rows. */
function inText(cell: InText, search: Search): readonly Sql[] | undefined {
  const inColumns = (cell.beside ?? []).flatMap((column) =>
    inStored({ ...column, sql: nonNullable(column) }, search),
  )
  const found = inDocument(cell, search)
  return found && [...found, ...inColumns]
}

/** Searches the bytes of the event or of the array that has the value; undefined when it is in another column. */
function inDocument(cell: InText, search: Search): readonly Sql[] | undefined {
  const { carrier, value } = cell
  if (carrier.text === LINE) return inJson(carrier, value.type, search)
  return isDocument(cell) ? inJson(sql`assumeNotNull(${carrier})`, value.type, search) : undefined
}

function inStored(value: Value, { term, caseSensitive, start, end }: Search): readonly Sql[] {
  const isWord = start && end
  // As a word, these digits are the number itself, except for its sign.
  if (value.type === 'int' && isWord && WHOLE.test(term)) {
    return [sql`(${value.sql} IN (${BigInt(term)}, ${-BigInt(term)}))`]
  }
  if (value.type === 'real' && isWord && /^\d{1,15}$/.test(term)) return inReal(value.sql, term)
  return placesInBytes(asText(value), needleInText(term, caseSensitive), caseSensitive)
}

/** An integer as it is written, without its sign. */
const WHOLE = /^(?:0|[1-9]\d{0,17})$/

/** Returns tests of which one is true for a number whose text has these digits in front of its point or after it. */
function inReal(number: Sql, digits: string): readonly Sql[] {
  const size = sql`abs(${number})`
  const value = BigInt(digits)
  const scale = 10n ** BigInt(digits.length)
  // The text has the fewest digits that are nearest to the number, which may differ from them in its last bit.
  const distance = sql`abs((${size} - trunc(${size})) * ${scale} - ${value})`
  return [
    // Other numbers are written with an exponent.
    sql`(${size} > 0 AND ${size} < 0.000001 OR ${size} >= 1e21)`,
    ...(WHOLE.test(digits) ? [sql`(trunc(${size}) = ${value})`] : []),
    ...(digits.endsWith('0')
      ? []
      : [sql`(${distance} <= (${size} * ${scale} + ${value}) * 5e-16)`]),
  ]
}

/**
 * A number in JSON that is written in another form in results: with an exponent, or with more digits than a double has. It is not
 * inside a string, unless the string looks like it.
 */
const OTHER_NUMBER = '(?:^|[:,[\\s])-?(?:0\\.000000|\\d+(?:\\.\\d*)?[eE]|\\d+\\.\\d{9}|\\d{8,}\\.)'

/** The type of the value in the JSON text. */
function inJson(json: Sql, type: Type, { term, caseSensitive }: Search): readonly Sql[] {
  const needle = needleInJson(term, caseSensitive)
  // Nearly every JSON text has a letter in it, but most events may have no text.
  if (needle.part.length === 1) return [sql`notEmpty(${json})`]
  const mayBeNumber = (type === 'real' || type === 'dynamic') && /^[-+.\de]+$/i.test(needle.part)
  if (!mayBeNumber) return placesInBytes(json, needle, caseSensitive)
  // One pass over the bytes takes as long as the search for numbers alone.
  const part = escapeRegex(needle.part).replace(/e/gi, '[eE]')
  const pattern = [part, ...needle.others.map(escapeRegex), OTHER_NUMBER].join('|')
  return [sql`match(${json}, ${text(pattern)})`]
}
