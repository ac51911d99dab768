import { formatName, formatReal } from '../../apl/syntax/format.js'
import { quote } from '../../apl/syntax/string-literal.js'
import type { Type } from '../../apl/type.js'
import { isInt64 } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import type { WholeNumber } from '../../wire/json/exact-json.js'
import { anything, flag, listOf, optionalMembers, text } from '../../wire/shape/request.js'
import { wrongType } from '../../wire/shape/request-error.js'
import { named, type Shape } from '../../wire/shape/shape.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { invalidField, invalidRequest } from '../refused-error.js'

/** A tree of conditions on an event. Its members fit its operator. */
interface LegacyFilter {
  readonly op: 'and' | 'or' | 'not' | 'exists' | 'not-exists' | Comparison | TextOp
  readonly field?: string
  /** The value to compare with; null stands for a missing field. */
  readonly value?: string | WholeNumber | boolean | null
  readonly caseSensitive?: boolean
  readonly children?: readonly LegacyFilter[]
}

type Comparison = '==' | '!=' | '>' | '>=' | '<' | '<='

/** The comparison operators, as symbols and as words. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...{ '==': '==', eq: '==', '!=': '!=', ne: '!=' },
  ...{ '>': '>', gt: '>', '>=': '>=', gte: '>=' },
  ...{ '<': '<', lt: '<', '<=': '<=', lte: '<=' },
}

/** Operators on the field as a string: the case-sensitive and the case-insensitive operator of APL. */
const TEXT_OPERATORS = {
  'starts-with': ['startswith_cs', 'startswith'],
  'not-starts-with': ['!startswith_cs', '!startswith'],
  'ends-with': ['endswith_cs', 'endswith'],
  'not-ends-with': ['!endswith_cs', '!endswith'],
  contains: ['contains_cs', 'contains'],
  'not-contains': ['!contains_cs', '!contains'],
  regexp: ['matches regex', 'matches regex'],
  'not-regexp': ['!matches regex', '!matches regex'],
} as const

type TextOp = keyof typeof TEXT_OPERATORS

const KNOWN = [
  ...['and', 'or', 'not', ...Object.keys(COMPARISONS), 'exists', 'not-exists'],
  ...Object.keys(TEXT_OPERATORS),
]

/** The maximum nesting depth of conditions, since they are processed recursively. */
const MAX_DEPTH = 50

const MEMBERS = optionalMembers(
  {
    op: text(),
    field: text(),
    value: anything(),
    caseSensitive: flag(),
    children: listOf(named('LegacyFilter', anything())),
  },
  ['op'],
)

/** A filter. An empty object, which some clients send instead of omitting the filter, is decoded as undefined. */
export const FILTER: Shape<LegacyFilter | undefined> = {
  schema: MEMBERS.schema,
  decode(name, value) {
    const { op, field, children = [] } = MEMBERS.decode(name, value)
    return op || field || children.length > 0 ? decodeFilter(value, 1) : undefined
  },
}

function decodeFilter(value: unknown, depth: number): LegacyFilter {
  if (depth > MAX_DEPTH) throw invalidRequest(`\`filter\` is nested more than ${MAX_DEPTH} deep.`)
  const given = MEMBERS.decode('A filter', value)
  const op = given.op?.toLowerCase() ?? ''
  const field = (): string => {
    if (given.field) return given.field
    throw invalidField(`The filter \`${op}\` has no \`field\`.`)
  }
  if (op === 'and' || op === 'or' || op === 'not') {
    const children = given.children?.map((child) => decodeFilter(child, depth + 1)) ?? []
    checkCount(op, children.length)
    return { op, children }
  }
  if (op === 'exists' || op === 'not-exists') return { op, field: field() }
  const { caseSensitive = true } = given
  const comparison = ownValue(COMPARISONS, op)
  if (comparison !== undefined) {
    return { op: comparison, field: field(), value: scalar(given.value), caseSensitive }
  }
  if (isTextOp(op)) {
    return { op, field: field(), value: stringOf(given.value, op), caseSensitive }
  }
  const known = KNOWN.map((one) => `\`${one}\``).join(', ')
  const what = op === '' ? 'A filter has no `op`.' : `Unknown filter \`${op}\`.`
  throw invalidField(`${what} Supported: ${known}.`)
}

function isTextOp(op: string): op is TextOp {
  return Object.hasOwn(TEXT_OPERATORS, op)
}

function checkCount(op: string, count: number): void {
  if (op !== 'not' && count === 0) throw invalidField(`The filter \`${op}\` has no \`children\`.`)
  if (op !== 'not' || count === 1) return
  throw invalidField(
    `The filter \`not\` has ${count} \`children\`; it must have exactly one, which can be an \`and\` or an \`or\`.`,
  )
}

function scalar(value: unknown): string | WholeNumber | boolean | null {
  if (value === undefined) return null
  // Other integers are real numbers in APL.
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  throw wrongType('The `value` of a filter', 'a string, a number, true, false or null')
}

function stringOf(value: unknown, op: TextOp): string {
  if (value === undefined) throw invalidField(`The filter \`${op}\` has no \`value\`.`)
  return text().decode(`The \`value\` of the filter \`${op}\``, value)
}

/** The fields that a query can use, with their types. The types of computed fields are not known. */
export type Fields = ReadonlyMap<string, Type | 'computed'>

export function conditionOf(filter: LegacyFilter, fields: Fields): string {
  const { op, field = '', children = [] } = filter
  const conditions = children.map((child) => conditionOf(child, fields))
  switch (op) {
    case 'and':
    case 'or':
      return joined(op, conditions)
    case 'not':
      return `not(${conditions[0]})`
    case 'exists':
      return existence(field, fields)
    case 'not-exists':
      return `not(${existence(field, fields)})`
    default:
      return isTextOp(op)
        ? onText({ ...filter, op }, fields)
        : comparison({ ...filter, op }, fields)
  }
}

/** Returns the conjunction or disjunction of conditions, as a balanced tree: the depth of a chain would be their number. */
function joined(operator: 'and' | 'or', conditions: readonly string[]): string {
  const [first] = conditions
  if (first === undefined) return String(operator === 'and')
  if (conditions.length === 1) return first
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)]
  return `(${joined(operator, left)}) ${operator} (${joined(operator, right)})`
}

/** True for events with the field. An unknown field is not an error; an object exists when one of its members exists. */
function existence(field: string, fields: Fields): string {
  const within = [...fields.keys()].filter((name) => name.startsWith(`${field}.`))
  const names = fields.has(field) ? [field, ...within] : within
  return joined(
    'or',
    names.map((name) => `isnotnull(${formatName(name)})`),
  )
}

const IGNORING_CASE: { readonly [Op in Comparison]?: string } = { '==': '=~', '!=': '!~' }

function comparison(
  { op, field = '', value = null, caseSensitive }: LegacyFilter & { readonly op: Comparison },
  fields: Fields,
): string {
  const name = formatName(field)
  if (value === null) {
    if (op === '==') return `isnull(${name})`
    if (op === '!=') return `isnotnull(${name})`
    throw invalidField(`The filter \`${op}\` on \`${field}\` has no \`value\` to compare with.`)
  }
  const ignoresCase = !caseSensitive && typeof value === 'string'
  const operator = ignoresCase ? IGNORING_CASE[op] : undefined
  return `${name} ${operator ?? op} ${constant(value, { field, fields })}`
}

function constant(
  value: string | WholeNumber | boolean,
  { field, fields }: { readonly field: string; readonly fields: Fields },
): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string') return String(value)
  if (fields.get(field) !== 'datetime') return quote(value)
  const time = parseTimestamp(value)
  if (time !== undefined) return `datetime(${formatTimestamp(time)})`
  throw invalidRequest(
    `The filter on \`${field}\` compares with \`${value}\`, which is not a time such as \`2026-01-31T10:00:00Z\`.`,
  )
}

/** Returns a number as APL: an integer, or a real number if it is not exact. */
export function formatNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(BigInt(value)) : formatReal(value)
}

/** Numbers and times are compared as strings, in the format of responses. */
function onText(
  { op, field = '', value, caseSensitive }: LegacyFilter & { readonly op: TextOp },
  fields: Fields,
): string {
  const [exact, ignoringCase] = TEXT_OPERATORS[op]
  const isRegex = op === 'regexp' || op === 'not-regexp'
  const pattern = isRegex && !caseSensitive ? `(?i)${value}` : `${value}`
  const type = fields.get(field)
  const name = formatName(field)
  const tested = type === 'string' || type === 'dynamic' ? name : `tostring(${name})`
  return `${tested} ${caseSensitive ? exact : ignoringCase} ${quote(pattern)}`
}
