import type { BinaryOperator } from '../../apl/syntax/ast.js'
import { isInt64 } from '../../text/integer.js'
import { ownValue } from '../../text/own-value.js'
import type { WholeNumber } from '../../wire/json/exact-json.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import {
  ANYTHING,
  FLAG,
  ref,
  listOf as schemaOfList,
  object as schemaOfObject,
  TEXT,
} from '../../wire/shape/json-schema.js'
import {
  boolean,
  listOf,
  object,
  optional,
  text,
  wrongType,
} from '../../wire/shape/request-value.js'
import type { Shape } from '../../wire/shape/shape.js'
import { invalidField, invalidRequest, type RefusedError } from '../refused-error.js'

/** A tree of conditions on an event. */
export type LegacyFilter = FilterJunction | FilterExists | FilterComparison | FilterText

export interface FilterJunction {
  /** `not` has one child. */
  readonly op: 'and' | 'or' | 'not'
  readonly children: readonly LegacyFilter[]
}

/** True when the event has the field. */
export interface FilterExists {
  readonly op: 'exists' | 'not-exists'
  readonly field: string
}

export interface FilterComparison {
  readonly op: '==' | '!=' | '>' | '>=' | '<' | '<='
  readonly field: string
  readonly value: FilterValue
  readonly caseSensitive: boolean
}

/** The value to compare with; null stands for a missing field. */
export type FilterValue = string | WholeNumber | boolean | null

/** Matches the field as a string. */
export interface FilterText {
  readonly op: TextOp
  readonly field: string
  readonly value: string
  readonly caseSensitive: boolean
}

/** The case-sensitive and the case-insensitive operator of APL. */
export const TEXT_OPERATORS = {
  'starts-with': ['startswith_cs', 'startswith'],
  'not-starts-with': ['!startswith_cs', '!startswith'],
  'ends-with': ['endswith_cs', 'endswith'],
  'not-ends-with': ['!endswith_cs', '!endswith'],
  contains: ['contains_cs', 'contains'],
  'not-contains': ['!contains_cs', '!contains'],
  regexp: ['matches regex', 'matches regex'],
  'not-regexp': ['!matches regex', '!matches regex'],
} as const satisfies Readonly<Record<string, readonly [BinaryOperator, BinaryOperator]>>

type TextOp = keyof typeof TEXT_OPERATORS

/** The maximum nesting depth of conditions, since they are processed recursively. */
const MAX_DEPTH = 50

type ComparisonOp = FilterComparison['op']

/** The comparison operators, as symbols and as words. */
const COMPARISONS: Readonly<Record<string, ComparisonOp>> = {
  ...{ '==': '==', eq: '==', '!=': '!=', ne: '!=' },
  ...{ '>': '>', gt: '>', '>=': '>=', gte: '>=' },
  ...{ '<': '<', lt: '<', '<=': '<=', lte: '<=' },
}

const KNOWN = [
  ...['and', 'or', 'not', ...Object.keys(COMPARISONS), 'exists', 'not-exists'],
  ...Object.keys(TEXT_OPERATORS),
]

/** A filter. An empty object, which some clients send instead of omitting the filter, is decoded as undefined. */
export const FILTER: Shape<LegacyFilter | undefined> = {
  schema: schemaOfObject(
    {
      op: TEXT,
      field: TEXT,
      value: ANYTHING,
      caseSensitive: FLAG,
      children: schemaOfList(ref('LegacyFilter')),
    },
    { optional: ['field', 'value', 'caseSensitive', 'children'] },
  ),
  decode: decodeFilter,
}

function decodeFilter(name: string, value: unknown): LegacyFilter | undefined {
  const members = object(name, value)
  const isEmpty = !members.op && !members.field && children(members).length === 0
  return isEmpty ? undefined : filter(members, 1)
}

function filter(members: JsonObject, depth: number): LegacyFilter {
  if (depth > MAX_DEPTH) throw invalidRequest(`\`filter\` is nested more than ${MAX_DEPTH} deep.`)
  const op = optional(members, 'op', text)?.toLowerCase() ?? ''
  const inner = () => children(members).map((one) => filter(object('A filter', one), depth + 1))
  switch (op) {
    case 'and':
    case 'or':
      return { op, children: atLeastOne(op, inner()) }
    case 'not':
      return { op, children: onlyOne(inner()) }
    case 'exists':
    case 'not-exists':
      return { op, field: fieldOf(members, op) }
    default:
      return onValue(op, members)
  }
}

function onValue(op: string, members: JsonObject): LegacyFilter {
  const caseSensitive = optional(members, 'caseSensitive', boolean) ?? true
  const comparison = ownValue(COMPARISONS, op)
  if (comparison !== undefined) {
    const field = fieldOf(members, op)
    return { op: comparison, field, value: scalar(members.value), caseSensitive }
  }
  if (!isTextOp(op)) throw unknownOp(op)
  return { op, field: fieldOf(members, op), value: textOf(members, op), caseSensitive }
}

function isTextOp(op: string): op is TextOp {
  return Object.hasOwn(TEXT_OPERATORS, op)
}

function children(members: JsonObject): readonly unknown[] {
  return (
    optional(
      members,
      'children',
      listOf((_, child: unknown) => child),
    ) ?? []
  )
}

function atLeastOne(op: string, filters: readonly LegacyFilter[]): readonly LegacyFilter[] {
  if (filters.length > 0) return filters
  throw invalidField(`The filter \`${op}\` has no \`children\`.`)
}

function onlyOne(filters: readonly LegacyFilter[]): readonly LegacyFilter[] {
  if (filters.length === 1) return filters
  throw invalidField(
    `The filter \`not\` has ${filters.length} \`children\`; it must have exactly one, which can be an \`and\` or an \`or\`.`,
  )
}

function fieldOf(members: JsonObject, op: string): string {
  const field = optional(members, 'field', text)
  if (field) return field
  throw invalidField(`The filter \`${op}\` has no \`field\`.`)
}

function scalar(value: unknown): FilterValue {
  if (value === undefined || value === null) return null
  // Other integers are real numbers in APL.
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value)
  if (['string', 'number', 'boolean'].includes(typeof value)) return value as FilterValue
  throw wrongType('The `value` of a filter', 'a string, a number, true, false or null')
}

function textOf(members: JsonObject, op: TextOp): string {
  const value = optional(members, 'value', (_, given) => given)
  if (value === undefined) throw invalidField(`The filter \`${op}\` has no \`value\`.`)
  return text(`The \`value\` of the filter \`${op}\``, value)
}

function unknownOp(op: string): RefusedError {
  const known = KNOWN.map((one) => `\`${one}\``).join(', ')
  const what = op === '' ? 'A filter has no `op`.' : `Unknown filter \`${op}\`.`
  return invalidField(`${what} Supported: ${known}.`)
}
