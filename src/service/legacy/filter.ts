import type { Expression } from '../../apl/syntax/ast.js'
import type { Type } from '../../apl/type.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { invalidField, invalidRequest } from '../refused-error.js'
import {
  type FilterComparison,
  type FilterExists,
  type FilterJunction,
  type FilterText,
  type FilterValue,
  type LegacyFilter,
  TEXT_OPERATORS,
} from './decode-filter.js'
import { binary, call, column, joined, literal, negated } from './tree.js'

/** The fields that a query can use, with their types. The types of computed fields are not known. */
export type Fields = ReadonlyMap<string, Type | 'computed'>

export function filterExpression(filter: LegacyFilter, fields: Fields): Expression {
  if ('children' in filter) return junction(filter, fields)
  if (!('value' in filter)) return existence(filter, fields)
  return isOnText(filter) ? onText(filter, fields) : comparison(filter, fields)
}

function junction({ op, children }: FilterJunction, fields: Fields): Expression {
  const conditions = children.map((child) => filterExpression(child, fields))
  return op === 'not' ? negated(joined('and', conditions)) : joined(op, conditions)
}

function isOnText(filter: FilterComparison | FilterText): filter is FilterText {
  return Object.hasOwn(TEXT_OPERATORS, filter.op)
}

/** True for events with the field. An unknown field is not an error; an object exists when one of its members exists. */
function existence({ op, field }: FilterExists, fields: Fields): Expression {
  const within = [...fields.keys()].filter((name) => name.startsWith(`${field}.`))
  const names = fields.has(field) ? [field, ...within] : within
  const exists = joined(
    'or',
    names.map((name) => call('isnotnull', column(name))),
  )
  return op === 'exists' ? exists : negated(exists)
}

const IGNORING_CASE = { '==': '=~', '!=': '!~' } as const

function comparison({ op, field, value, caseSensitive }: FilterComparison, fields: Fields) {
  if (value === null) return nullness(op, field)
  const isEquality = op === '==' || op === '!='
  const operator =
    isEquality && !caseSensitive && typeof value === 'string' ? IGNORING_CASE[op] : op
  return binary(column(field), operator, constant(value, { field, fields }))
}

function nullness(op: FilterComparison['op'], field: string): Expression {
  if (op === '==') return call('isnull', column(field))
  if (op === '!=') return call('isnotnull', column(field))
  throw invalidField(`The filter \`${op}\` on \`${field}\` has no \`value\` to compare with.`)
}

function constant(
  value: Exclude<FilterValue, null>,
  { field, fields }: { readonly field: string; readonly fields: Fields },
): Expression {
  switch (typeof value) {
    case 'boolean':
      return literal('bool', value)
    case 'bigint':
      return literal('int', value)
    case 'number':
      return Number.isSafeInteger(value) ? literal('int', BigInt(value)) : literal('real', value)
    default:
      return fields.get(field) === 'datetime' ? instant(value, field) : literal('string', value)
  }
}

function instant(value: string, name: string): Expression {
  const time = parseTimestamp(value)
  if (time !== undefined) return literal('datetime', time)
  throw invalidRequest(
    `The filter on \`${name}\` compares with \`${value}\`, which is not a time such as \`2026-01-31T10:00:00Z\`.`,
  )
}

function onText({ op, field, value, caseSensitive }: FilterText, fields: Fields): Expression {
  const [exact, ignoringCase] = TEXT_OPERATORS[op]
  const isRegex = op === 'regexp' || op === 'not-regexp'
  const pattern = isRegex && !caseSensitive ? `(?i)${value}` : value
  return binary(
    textOf(field, fields),
    caseSensitive ? exact : ignoringCase,
    literal('string', pattern),
  )
}

/** Numbers and times are compared as strings, in the format of responses. */
function textOf(name: string, fields: Fields): Expression {
  const type = fields.get(name)
  const isText = type === 'string' || type === 'dynamic'
  return isText ? column(name) : call('tostring', column(name))
}
