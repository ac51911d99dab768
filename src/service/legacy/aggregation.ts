import { formatName } from '../../apl/syntax/format.js'
import { quote } from '../../apl/syntax/string-literal.js'
import { anything, optionalMembers, text } from '../../wire/shape/request.js'
import { wrongType } from '../../wire/shape/request-error.js'
import type { Shape } from '../../wire/shape/shape.js'
import { invalidField } from '../refused-error.js'
import { type AggregationRole, byPercentile, withoutNulls } from './buckets.js'
import { type Fields, formatNumber } from './filter.js'

interface LegacyAggregation {
  readonly op: keyof typeof OPERATIONS
  /** Absent for `count`, which counts events. */
  readonly field?: string
  /** The name in the response; by default the operation in capitals. */
  readonly alias?: string
  /** A further argument of some operations: a number of values, percentiles, field names. */
  readonly argument?: unknown
}

/** An aggregation as an assignment of `summarize`, and the rendering of its column. */
export interface Aggregated extends AggregationRole {
  readonly assignment: string
}

interface Operand {
  /** The field, in APL. */
  readonly of: string
  readonly argument: unknown
  readonly column: string
  readonly fields: Fields
}

type Operation = (operand: Operand, op: string) => string | Pick<Aggregated, 'assignment' | 'shape'>

const sameName: Operation = ({ of }, op) => `${op}(${of})`

/** The operations, each with the function that returns its aggregation in APL, or the whole assignment. */
const OPERATIONS = {
  count: () => 'count()',
  distinct: ({ of }) => `dcount(${of})`,
  makeset: ({ of, argument }, op) => `make_set(${of}${most(op, argument)})`,
  makelist: ({ of, argument }, op) => `make_list(${of}${most(op, argument)})`,
  sum: sameName,
  avg: sameName,
  min: sameName,
  max: sameName,
  topk: ({ of, argument }, op) => `topk(${of}${most(op, argument ?? USUAL_COUNT)})`,
  percentiles({ of, argument, column }) {
    const ranks = percentiles(argument)
    return {
      assignment: `${formatName(column)} = percentiles_array(${[of, ...ranks.map(formatNumber)].join(', ')})`,
      shape: (values) => byPercentile(values, ranks),
    }
  },
  histogram: ({ of, argument }, op) => `histogram(${of}${most(op, argument ?? USUAL_COUNT)})`,
  stdev: sameName,
  variance: sameName,
  argmin: (operand, op) => rowOf('arg_min', operand, op),
  argmax: (operand, op) => rowOf('arg_max', operand, op),
  rate: sameName,
} as const satisfies Readonly<Record<string, Operation>>

/** The default number of values of `topk` and of bins of `histogram`. */
const USUAL_COUNT = 10

const MEMBERS = optionalMembers(
  { op: text(), field: text(), alias: text(), argument: anything() },
  ['op'],
)

export const AGGREGATION: Shape<LegacyAggregation> = {
  schema: MEMBERS.schema,
  decode(name, value) {
    const { field: given, alias, argument, ...members } = MEMBERS.decode(name, value)
    const op = opOf(members.op ?? '')
    const field = given === '*' ? undefined : given || undefined
    if (op === 'count' && field !== undefined) {
      throw invalidField(
        `\`count\` counts events: its \`field\` must be \`*\` or absent, not \`${field}\`. Use a filter \`exists\` to count events with the field.`,
      )
    }
    if (op !== 'count' && field === undefined) {
      throw invalidField(`The aggregation \`${op}\` needs a \`field\`.`)
    }
    return { op, field, alias: alias || undefined, argument }
  },
}

function opOf(given: string): LegacyAggregation['op'] {
  const op = given.toLowerCase()
  if (Object.hasOwn(OPERATIONS, op)) return op as LegacyAggregation['op']
  const known = Object.keys(OPERATIONS).map((one) => `\`${one}\``)
  const what = given === '' ? 'An aggregation has no `op`.' : `Unknown aggregation \`${given}\`.`
  throw invalidField(`${what} Supported: ${known.join(', ')}.`)
}

/** Translates an aggregation to APL; its column is called `column`. */
export function aggregated(
  { op, field = '', alias, argument }: LegacyAggregation,
  { column, fields }: { readonly column: string; readonly fields: Fields },
): Aggregated {
  const operation: Operation = OPERATIONS[op]
  const found = operation({ of: formatName(field), argument, column, fields }, op)
  const assigned =
    typeof found === 'string' ? { assignment: `${formatName(column)} = ${found}` } : found
  return { ...assigned, column, label: alias ?? op.toUpperCase() }
}

/** `arg_max(of, name = bag_pack("a", a, …))`: the first column is the value itself, the second one the fields of the row. */
function rowOf(
  aggregate: 'arg_min' | 'arg_max',
  { of, argument, column, fields }: Operand,
  op: string,
): Pick<Aggregated, 'assignment' | 'shape'> {
  const shown = shownFields(op, argument, fields)
  const members = shown.flatMap((field) => [quote(field), formatName(field)])
  const row = `${formatName(column)} = bag_pack(${members.join(', ')})`
  return {
    assignment: `${formatName(`${column} value`)} = ${aggregate}(${of}, ${row})`,
    shape: withoutNulls,
  }
}

/** Returns the fields that the argument names; without an argument, all fields. */
function shownFields(op: string, argument: unknown, fields: Fields): readonly string[] {
  if (argument === undefined) return [...fields.keys()]
  const named = Array.isArray(argument) ? argument : [argument]
  if (named.every((one) => typeof one === 'string')) return named
  throw wrongType(`The \`argument\` of \`${op}\``, 'the name of a field or an array of them')
}

/** Returns the number of values as a further argument; empty without a number. */
function most(op: string, argument: unknown): string {
  if (argument === undefined) return ''
  if (typeof argument !== 'number' && typeof argument !== 'bigint') {
    throw wrongType(`The \`argument\` of \`${op}\``, 'a number')
  }
  if (Number.isSafeInteger(argument) && argument > 0) return `, ${argument}`
  throw invalidField(`The \`argument\` of \`${op}\` is ${argument}; it must be a positive integer.`)
}

function percentiles(argument: unknown): readonly number[] {
  const ranks = Array.isArray(argument) ? argument : argument === undefined ? [] : [argument]
  if (!ranks.every((rank) => typeof rank === 'number')) {
    throw wrongType('The `argument` of `percentiles`', 'an array of numbers')
  }
  if (ranks.length > 0 && ranks.every((rank) => rank >= 0 && rank <= 100)) return ranks
  throw invalidField(
    'The `argument` of `percentiles` must contain numbers from 0 to 100, such as `[50, 99]`.',
  )
}
