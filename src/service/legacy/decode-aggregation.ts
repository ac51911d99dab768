import { ANYTHING, object as schemaOfObject, TEXT } from '../../wire/shape/json-schema.js'
import { object, optional, text } from '../../wire/shape/request-value.js'
import type { Shape } from '../../wire/shape/shape.js'
import { invalidField } from '../refused-error.js'

const LEGACY_AGGREGATIONS = [
  'count',
  'distinct',
  'makeset',
  'makelist',
  'sum',
  'avg',
  'min',
  'max',
  'topk',
  'percentiles',
  'histogram',
  'stdev',
  'variance',
  'argmin',
  'argmax',
  'rate',
] as const
type LegacyAggregationOp = (typeof LEGACY_AGGREGATIONS)[number]

export interface LegacyAggregation {
  readonly op: LegacyAggregationOp
  /** Absent for `count`, which counts events. */
  readonly field?: string
  /** The name in the response; by default the operation in capitals. */
  readonly alias?: string
  /** A further argument of some operations: a number of values, percentiles, field names. */
  readonly argument?: unknown
}

export const AGGREGATION: Shape<LegacyAggregation> = {
  schema: schemaOfObject(
    { op: TEXT, field: TEXT, alias: TEXT, argument: ANYTHING },
    { optional: ['field', 'alias', 'argument'] },
  ),
  decode: decodeAggregation,
}

function decodeAggregation(name: string, value: unknown): LegacyAggregation {
  const members = object(name, value)
  const op = opOf(optional(members, 'op', text) ?? '')
  const field = optional(members, 'field', text) || undefined
  checkField(op, field)
  return {
    op,
    field: op === 'count' ? undefined : field,
    alias: optional(members, 'alias', text) || undefined,
    argument: optional(members, 'argument', (_, argument) => argument),
  }
}

function opOf(given: string): LegacyAggregationOp {
  const op = LEGACY_AGGREGATIONS.find((one) => one === given.toLowerCase())
  if (op !== undefined) return op
  const known = LEGACY_AGGREGATIONS.map((one) => `\`${one}\``).join(', ')
  const what = given === '' ? 'An aggregation has no `op`.' : `Unknown aggregation \`${given}\`.`
  throw invalidField(`${what} Supported: ${known}.`)
}

function checkField(op: LegacyAggregationOp, field: string | undefined): void {
  if (op === 'count') {
    if (field === undefined || field === '*') return
    throw invalidField(
      `\`count\` counts events: its \`field\` must be \`*\` or absent, not \`${field}\`. Use a filter \`exists\` to count events with the field.`,
    )
  }
  if (field !== undefined && field !== '*') return
  throw invalidField(`The aggregation \`${op}\` needs a \`field\`.`)
}
