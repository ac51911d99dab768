import { SEPARATOR } from '../../apl/check/expression/any-column.js'
import type { BinaryOperator, TextTest } from '../../apl/syntax/ast.js'
import type { OperatorName } from '../../apl/syntax/words.js'
import type { Type } from '../../apl/type.js'
import { addTo } from '../../text/lists.js'
import { isAscii } from '../needle.js'
import { joinedBy, list, raw, type Sql, text as separatorText, sql } from '../sql.js'
import { captured, delimited, keyed } from '../stage/capture.js'
import { redacted } from '../stage/redaction.js'
import { termRule } from '../stage/term-condition.js'
import { opposite, quotient, remainder, sum } from '../type/arithmetic.js'
import { anyElement, equal, member, negated, ordered, predicate, unequal } from '../type/compare.js'
import { convert, folded, nanoseconds } from '../type/convert.js'
import { bind, derived, nullable, once, type Value } from '../value.js'
import { messagePattern } from './message-pattern.js'
import { lineRegex } from './regex.js'
import { hasAnyTerm, hasSeveralForms, hasTerm, isWholeTerm, matchesFolded } from './term-search.js'

/** Compiles an operator of its operands; `type` is the type of the result. */
type OperatorRow = (operands: readonly Value[], type: Type) => Value

type StringTest = (source: Sql, part: Sql) => Sql

const sameFolded = folding(
  (part) => `^${part}$`,
  text((a, b) => sql`(lowerUTF8(${a}) = lowerUTF8(${b}))`),
)
const contains = folding(
  (part) => part,
  text((a, b) => sql`(positionCaseInsensitive(${a}, ${b}) > 0)`),
  text((a, b) => sql`(positionCaseInsensitiveUTF8(${a}, ${b}) > 0)`),
)
const starts = folding(
  (part) => `^${part}`,
  text((a, b) => sql`startsWithCaseInsensitive(${a}, ${b})`),
  text((a, b) => sql`startsWithCaseInsensitiveUTF8(${a}, ${b})`),
)
const ends = folding(
  (part) => `${part}$`,
  text((a, b) => sql`endsWithCaseInsensitive(${a}, ${b})`),
  text((a, b) => sql`endsWithCaseInsensitiveUTF8(${a}, ${b})`),
)
const among = ([value, ...items]: readonly Value[]) => member(value!, items)
const amongFolded = ([value, ...items]: readonly Value[]) => {
  const found = member(folded(value!), items.map(folded))
  const arrays = items.filter((item) => item.type === 'dynamic' && item.constant === undefined)
  const inside = arrays.map((array) =>
    anyElement(array, (element) => equal(folded(value!), folded(element))),
  )
  const alike = items.filter(
    ({ constant }) => typeof constant === 'string' && hasSeveralForms(constant),
  )
  inside.push(...alike.map((item) => sameFolded([value!, item], 'bool').sql))
  if (inside.length === 0) return found
  return derived('bool', joinedBy('OR', [found.sql, ...inside]), [])
}

/** The SQL of each operator. The number of operands was checked with the query. */
export const OPERATORS: Readonly<Record<OperatorName, OperatorRow>> = {
  and: (operands) => logical('AND', operands.map(truth)),
  or: (operands) => logical('OR', operands.map(truth)),
  not: ([a]) => negated(truth(a!)),

  '==': ([a, b]) => equal(a!, b!),
  '!=': ([a, b]) => unequal(a!, b!),
  '<': ([a, b]) => ordered('<', a!, b!),
  '<=': ([a, b]) => ordered('<=', a!, b!),
  '>': ([a, b]) => ordered('>', a!, b!),
  '>=': ([a, b]) => ordered('>=', a!, b!),
  between,
  '!between': not(between),

  '+': ([a, b], type) => sum('+', a!, b!, type),
  '-': ([a, b], type) => sum('-', a!, b!, type),
  '*': ([a, b], type) => sum('*', a!, b!, type),
  '/': ([a, b], type) => quotient(a!, b!, type),
  '%': ([a, b], type) => remainder(a!, b!, type),
  negate: ([a], type) => opposite(a!, type),

  '=~': sameFolded,
  '!~': not(sameFolded),
  ...variants('contains', [
    inParts(contains),
    inParts(text((a, b) => sql`(position(${a}, ${b}) > 0)`)),
  ]),
  ...variants('startswith', [starts, text((a, b) => sql`startsWith(${a}, ${b})`)]),
  ...variants('endswith', [ends, text((a, b) => sql`endsWith(${a}, ${b})`)]),
  ...variants('has', [term('has'), term('has_cs')]),
  ...variants('hasprefix', [term('hasprefix'), term('hasprefix_cs')]),
  ...variants('hassuffix', [term('hassuffix'), term('hassuffix_cs')]),
  'matches regex': matchesRegex,
  '!matches regex': not(matchesRegex),

  in: among,
  '!in': not(among),
  'in~': amongFolded,
  '!in~': not(amongFolded),
  has_any: anyTerm('has'),
  has_any_cs: anyTerm('has_cs'),

  captured,
  delimited,
  joined: joinedTexts,
  // The number distinguishes several samples in one query.
  drawn: ([share, draw]) => predicate(sql`(randCanonical(${draw!.sql}) < ${share!.sql})`, []),
  keyed,
  pattern: messagePattern,
  redacted,
  valid: ([value]) => valid(value!),
}

function not(row: OperatorRow): OperatorRow {
  return (operands, type) => negated(row(operands, type))
}

/** Returns the variants of a test for a string, of which the second row is case-sensitive. */
function variants<T extends TextTest>(
  name: T,
  [folded, cased]: readonly [OperatorRow, OperatorRow],
) {
  const rows = {
    [name]: folded,
    [`!${name}`]: not(folded),
    [`${name}_cs`]: cased,
    [`!${name}_cs`]: not(cased),
  }
  return rows as Record<`${'' | '!'}${T}${'' | '_cs'}`, OperatorRow>
}

/** A string operator: false when an operand is null. */
function text(test: StringTest): OperatorRow {
  return ([a, b]) => {
    const [x, y] = [convert(a!, 'string'), convert(b!, 'string')]
    return predicate(test(x.sql, y.sql), [x, y])
  }
}

/** A case-insensitive string operator. The engine compares letters of ASCII with no others, so bytes are enough for a literal of these. */
function folding(
  pattern: (part: string) => string,
  inAscii: OperatorRow,
  computed: OperatorRow = inAscii,
): OperatorRow {
  return (operands, type) => {
    const { constant } = operands[1]!
    if (typeof constant !== 'string') return computed(operands, type)
    if (isAscii(constant)) return inAscii(operands, type)
    if (!hasSeveralForms(constant)) return computed(operands, type)
    return matchesFolded(convert(operands[0]!, 'string'), constant, pattern)
  }
}

function matchesRegex([source, regex]: readonly Value[]): Value {
  const [x, y] = [convert(source!, 'string'), lineRegex(convert(regex!, 'string'))]
  return predicate(sql`match(${x.sql}, ${y.sql})`, [x, y])
}

function term(operator: BinaryOperator): OperatorRow {
  const rule = termRule(operator)!
  return inParts(([a, b]) => hasTerm(convert(a!, 'string'), convert(b!, 'string'), rule))
}

/** Tests the parts of joined texts one after the other: the text of JSON takes ten times as long as strings, which often pass. */
function inParts(test: OperatorRow): OperatorRow {
  return ([source, ...terms], type) => {
    const { parts } = source!
    if (parts === undefined) return test([source!, ...terms], type)
    const tests = parts.map((part) =>
      bind(part.sql, (name) => test([{ ...part, sql: name }, ...terms], type).sql),
    )
    return derived('bool', joinedBy('OR', tests), [])
  }
}

/** Writing the texts of so many values takes less time than testing strings and texts one after the other. */
const FEW_OTHERS = 4

/** Joins the strings of values that are not null with a separator, so that each term of the result is in one of the values. */
function joinedTexts(values: readonly Value[]): Value {
  const strings = values.filter(({ type }) => type === 'string')
  const others = values.filter(({ type }) => type !== 'string')
  if (strings.length === 0 || others.length <= FEW_OTHERS) return joinedText(values)
  const [first, second] = [joinedText(strings), joinedText(others)]
  const whole = sql`concat(${first.sql}, ${separatorText(SEPARATOR)}, ${second.sql})`
  return { sql: whole, type: 'string', nullable: false, parts: [first, second] }
}

function joinedText(values: readonly Value[]): Value {
  const { elements, others } = elementsOfMaps(values)
  const strings = others.map((value) => convert(value, 'string').sql)
  for (const [map, keys] of elements) {
    const text = convert(nullable('dynamic', sql`element`), 'string').sql
    // A lambda over the keys would copy the map for each of them.
    const found = sql`arrayFilter((element, key) -> key IN (${list(keys)}), mapValues(${raw(map)}), mapKeys(${raw(map)}))`
    const each = sql`arrayMap(element -> ${text}, ${found})`
    strings.push(sql`arrayStringConcat(${each}, ${separatorText(SEPARATOR)})`)
  }
  const whole = sql`arrayStringConcat([${list(strings)}], ${separatorText(SEPARATOR)})`
  return { sql: whole, type: 'string', nullable: false }
}

/** The most elements of a map that are written one by one. */
const FEW_ELEMENTS = 16

/**
 * Returns the keys of the values that are elements of a map, by the map, and the other values. The engine plans an expression for
 * each mention of a map, which takes seconds for thousands of them.
 */
function elementsOfMaps(values: readonly Value[]): {
  readonly elements: ReadonlyMap<string, readonly Sql[]>
  readonly others: readonly Value[]
} {
  const elements = new Map<string, Sql[]>()
  const others: Value[] = []
  for (const value of values) {
    const { element, path } = value.json ?? {}
    if (element === undefined || path?.length !== 0) others.push(value)
    else addTo(elements, element.map.text, sql`${element.key}`)
  }
  const isMany = [...elements.values()].some(({ length }) => length > FEW_ELEMENTS)
  return isMany ? { elements, others } : { elements: new Map(), others: values }
}

/** True when the operator holds for any of the listed values. */
function anyTerm(operator: 'has' | 'has_cs'): OperatorRow {
  const rule = termRule(operator)!
  const one = term(operator)
  const several = inParts(([source, ...terms]) =>
    hasAnyTerm(convert(source!, 'string'), terms, rule),
  )
  return ([value, ...items], type) => {
    const whole = items.filter(isWholeTerm)
    const joint = whole.length > 1 ? [several([value!, ...whole], type)] : []
    const others = joint.length > 0 ? items.filter((item) => !isWholeTerm(item)) : items
    return logical('OR', [...joint, ...others.map((item) => one([value!, item], type))])
  }
}

/** A dynamic value used as a predicate is converted like `tobool`. */
function truth(value: Value): Value {
  return convert(value, 'bool')
}

function between([value, low, high]: readonly Value[]): Value {
  return logical('AND', [ordered('>=', value!, low!), ordered('<=', value!, high!)])
}

function logical(sign: 'AND' | 'OR', operands: readonly Value[]): Value {
  if (operands.length === 0) return { sql: sql`false`, type: 'bool', nullable: false }
  const exact = operands.map((operand) => operand.sql)
  const filters = operands.map((operand) => operand.filter ?? operand.sql)
  return { ...derived('bool', joinedBy(sign, exact), operands), filter: joinedBy(sign, filters) }
}

/** Returns the value, or null when it is empty, zero, not a number or false. */
function valid(value: Value): Value {
  return nullable(
    value.type,
    once(value.sql, (v) => sql`if(${TESTS[value.type](v)}, ${v}, NULL)`),
  )
}

const TESTS: Readonly<Record<Type, (value: Sql) => Sql>> = {
  bool: (v) => v,
  int: (v) => sql`${v} != 0`,
  real: (v) => sql`${v} != 0 AND isFinite(${v})`,
  string: (v) => sql`${v} != ''`,
  datetime: (v) => sql`${nanoseconds(v)} != 0`,
  timespan: (v) => sql`${v} != 0`,
  dynamic: (v) =>
    sql`multiIf(match(${v}, '^[[{]'), JSONLength(${v}) > 0, ${v} IN ('""', 'false'), false, ifNull(toFloat64OrNull(${v}) != 0, true))`,
}
