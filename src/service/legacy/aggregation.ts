import type { Assignment, Call, Expression } from '../../apl/syntax/ast.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { wrongType } from '../../wire/shape/request-value.js'
import { invalidField } from '../refused-error.js'
import { byPercentile, withoutNulls } from './buckets.js'
import type { LegacyAggregation } from './decode-aggregation.js'
import type { Fields } from './filter.js'
import { assignment, call, column, identifier, literal, NOWHERE } from './tree.js'

/** An aggregation as a `summarize` expression, and the rendering of its column. */
export interface Aggregated {
  readonly assignment: Assignment
  /** The name of the column with the value. */
  readonly column: string
  readonly label: string
  readonly shape: (value: JsonText) => JsonText
}

/** The default number of values of `topk` and of bins of `histogram`. */
const USUAL_COUNT = 10

/** Translates an aggregation to APL; its column is called `name`. */
export function aggregated(
  aggregation: LegacyAggregation,
  { name, fields }: { readonly name: string; readonly fields: Fields },
): Aggregated {
  const { op, alias } = aggregation
  const { value, shape = (json: JsonText) => json } = aggregate(aggregation, { name, fields })
  const isRow = op === 'argmin' || op === 'argmax'
  return {
    // The first column of `arg_min` and `arg_max` is the value itself; the row is the second.
    assignment: isRow ? assignment(`${name} value`, value) : assignment(name, value),
    column: name,
    label: alias ?? op.toUpperCase(),
    shape,
  }
}

interface Shaped {
  readonly value: Expression
  readonly shape?: Aggregated['shape']
}

function aggregate(
  { op, field = '', argument }: LegacyAggregation,
  { name, fields }: { readonly name: string; readonly fields: Fields },
): Shaped {
  const of = column(field)
  switch (op) {
    case 'count':
      return { value: call('count') }
    case 'distinct':
      return { value: call('dcount', of) }
    case 'makeset':
    case 'makelist': {
      const most = argument === undefined ? [] : [countArgument(op, argument)]
      return { value: call(op === 'makeset' ? 'make_set' : 'make_list', of, ...most) }
    }
    case 'topk':
    case 'histogram':
      return { value: call(op, of, countArgument(op, argument ?? USUAL_COUNT)) }
    case 'percentiles': {
      const ranks = percentiles(argument)
      return {
        value: call('percentiles_array', of, ...ranks.map(number)),
        shape: (values) => byPercentile(values, ranks),
      }
    }
    case 'argmin':
    case 'argmax':
      return {
        value: rowOf(op === 'argmin' ? 'arg_min' : 'arg_max', of, {
          name,
          shown: shownFields(op, argument, fields),
        }),
        shape: withoutNulls,
      }
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
    case 'stdev':
    case 'variance':
    case 'rate':
      return { value: call(op, of) }
    default:
      return op satisfies never
  }
}

/** `arg_max(of, name = bag_pack("a", a, …))`: the fields of the row as one value. */
function rowOf(
  aggregate: 'arg_min' | 'arg_max',
  of: Expression,
  { name, shown }: { readonly name: string; readonly shown: readonly string[] },
): Call {
  const members = shown.flatMap((field) => [literal('string', field), column(field)])
  return {
    kind: 'call',
    function: identifier(aggregate),
    arguments: [of, call('bag_pack', ...members)],
    names: new Map([[1, identifier(name)]]),
    span: NOWHERE,
  }
}

/** Returns the fields that the argument names; without an argument, all fields. */
function shownFields(op: string, argument: unknown, fields: Fields): readonly string[] {
  if (argument === undefined) return [...fields.keys()]
  const named = Array.isArray(argument) ? argument : [argument]
  if (named.every((one) => typeof one === 'string')) return named
  throw wrongType(`The \`argument\` of \`${op}\``, 'the name of a field or an array of them')
}

function countArgument(op: string, argument: unknown): Expression {
  if (typeof argument !== 'number' && typeof argument !== 'bigint') {
    throw wrongType(`The \`argument\` of \`${op}\``, 'a number')
  }
  if (Number.isSafeInteger(argument) && argument > 0) return number(Number(argument))
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

function number(value: number): Expression {
  return Number.isInteger(value) ? literal('int', BigInt(value)) : literal('real', value)
}
