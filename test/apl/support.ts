import { type Analysis, analyze } from '../../src/apl/analyze.js'
import type { CheckedOperator, CheckedQuery } from '../../src/apl/check/checked.js'
import type { Field, Schema } from '../../src/apl/schema.js'
import type { Type } from '../../src/apl/type.js'
import type { Problem } from '../../src/text/problem.js'

const LOGS: readonly (readonly [string, Type])[] = [
  ['_time', 'datetime'],
  ['status', 'int'],
  ['duration', 'real'],
  ['method', 'string'],
  ['message', 'string'],
  ['uri', 'string'],
  ['service', 'string'],
  ['user agent', 'string'],
  ['ok', 'bool'],
  ['geo.city', 'string'],
  ['geo.country', 'string'],
  ['attributes', 'dynamic'],
  ['tags', 'dynamic'],
]

const FIELDS: readonly Field[] = LOGS.map(([name, type]) => ({ name, type }))

const WIDE: readonly Field[] = Array.from({ length: 11_000 }, (_, i) => ({
  name: `f${i}`,
  type: 'int',
}))

/** Two datasets with the same fields; an unlisted one has more fields than a query can use. */
export const schema: Schema = {
  datasets: ['logs', 'http-logs'],
  fields(dataset) {
    if (dataset === 'wide') return WIDE
    return ['logs', 'http-logs'].includes(dataset) ? FIELDS : undefined
  },
}

export const NOW = 1_769_860_800_000_000_000n

export function analyzed(text: string): Analysis {
  return analyze(text, { schema, now: NOW })
}

/** Returns the checked query for text without problems. */
export function checked(text: string): CheckedQuery {
  const result = analyzed(text)
  if ('query' in result) return result.query
  throw new Error(result.problems.map((problem) => problem.message).join('\n'))
}

/** The result's columns as `name: type`. */
export function columns(text: string): readonly string[] {
  return checked(text).columns.map((column) => `${column.name}: ${column.type}`)
}

/** The first operator of a query on logs. */
export function firstOperator(step: string): CheckedOperator {
  const operator = checked(`logs | ${step}`).operators[0]
  if (operator === undefined) throw new Error(`\`${step}\` came to nothing`)
  return operator
}

/** The type of an expression over the fields of logs. */
export function typeOf(expression: string): Type {
  return checked(`logs | project x = ${expression}`).columns[0]!.type
}

export function problems(text: string): readonly Problem[] {
  const result = analyzed(text)
  return 'problems' in result ? result.problems : []
}

/** Each problem as its code and the text under its carets. */
export function complaints(text: string): readonly string[] {
  return problems(text).map(({ code, span }) => `${code}: ${text.slice(span.start, span.end)}`)
}
