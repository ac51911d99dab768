import { AGGREGATES } from '../../src/apl/aggregate/aggregates.js'
import { FUNCTION_ALIASES, FUNCTIONS } from '../../src/apl/function/functions.js'
import type { Parameter, Signature } from '../../src/apl/function/signature.js'
import { BINARY_OPERATORS, MEMBERSHIP_OPERATORS } from '../../src/apl/syntax/ast.js'
import type { Type } from '../../src/apl/type.js'
import { LITERALS } from './literals.js'
import type { Random } from './random.js'

/** A column that an expression may use, with its name in APL syntax. */
export interface Known {
  readonly name: string
  readonly type: Type
}

const TYPES = Object.keys(LITERALS) as readonly Type[]
const ALL: readonly (readonly [string, Signature])[] = Object.entries(FUNCTIONS)
const CALLS = [
  ...ALL,
  ...Object.entries(FUNCTION_ALIASES).map(([alias, name]): readonly [string, Signature] => [
    alias,
    FUNCTIONS[name],
  ]),
]
const AGGREGATIONS: readonly (readonly [string, Signature])[] = Object.entries(AGGREGATES)

/** Usually one of these types, sometimes any. */
function near(random: Random, accepted: readonly Type[]): Type {
  return random.percent(97) && accepted.length > 0 ? random.pick(accepted) : random.pick(TYPES)
}

/** An expression of these columns that usually has this type. */
export function expression(
  random: Random,
  columns: readonly Known[],
  wanted: Type,
  depth: number,
): string {
  const own = columns.filter(({ type }) => type === wanted)
  const roll = random.below(100)
  if (depth <= 0 || roll < 12) return random.pick(LITERALS[wanted])
  if (roll < 45 && own.length > 0) return random.pick(own).name
  if (roll < 52 && columns.length > 0) return random.pick(columns).name
  const inner = (type: Type) => expression(random, columns, type, depth - 1)
  const isNumber = wanted === 'int' || wanted === 'real' || random.percent(5)
  if (roll < 60 && isNumber)
    return `(${inner(wanted)} ${random.pick(['+', '-', '*', '/', '%'])} ${inner(wanted)})`
  if (wanted === 'bool' && roll < 85) return predicate(random, columns, depth)
  if (roll < 64)
    return `${inner('dynamic')}${random.pick(['[0]', '[-1]', '.a', '["b c"]', '[1].a'])}`
  const fitting = CALLS.filter(([, { result }]) => result === wanted || typeof result !== 'string')
  const [name, signature] = random.pick(fitting.length > 0 && random.percent(90) ? fitting : CALLS)
  return `${name}(${argumentsOf(random, signature, inner)})`
}

/** A comparison or a combination of them. */
export function predicate(random: Random, columns: readonly Known[], depth: number): string {
  const type = random.pick(TYPES)
  const inner = (wanted: Type) => expression(random, columns, wanted, depth - 1)
  switch (random.below(8)) {
    case 0:
      return `(${inner('bool')} ${random.pick(['and', 'or'])} ${inner('bool')})`
    case 1:
      return `not(${inner('bool')})`
    case 2: {
      const operator = random.pick(MEMBERSHIP_OPERATORS)
      const of = operator.includes('in') && !operator.endsWith('~') ? type : 'string'
      const list = random.times(1, 3, () => inner(of)).join(', ')
      return `${inner(of)} ${operator} (${list})`
    }
    case 3:
      return `${inner(type)} ${random.pick(['between', '!between'])} (${inner(type)} .. ${inner(type)})`
    case 4:
      return `${inner('string')} ${random.pick(BINARY_OPERATORS)} ${inner('string')}`
    default:
      return `${inner(type)} ${random.pick(['==', '!=', '<', '<=', '>', '>='])} ${inner(type)}`
  }
}

/** An aggregation, sometimes within a scalar expression. */
export function aggregation(random: Random, columns: readonly Known[]): string {
  const [name, signature] = random.pick(AGGREGATIONS)
  const inner = (type: Type) => expression(random, columns, type, 1)
  const call = `${name}(${argumentsOf(random, signature, inner)})`
  if (random.percent(80)) return call
  return random.pick([
    `${call} + 1`,
    `tostring(${call})`,
    `${call}[0]`,
    `100.0 * ${call} / count()`,
  ])
}

function argumentsOf(
  random: Random,
  { parameters }: Signature,
  inner: (type: Type) => string,
): string {
  const given: string[] = []
  const give = ({ accepts, constant }: Parameter) => {
    const type = near(random, accepts)
    given.push(constant && random.percent(90) ? random.pick(LITERALS[type]) : inner(type))
  }
  for (const parameter of parameters) {
    if (parameter.optional && random.percent(50)) break
    give(parameter)
    if (parameter.repeated) for (let i = random.below(3); i > 0; i--) give(parameter)
  }
  if (random.percent(2)) given.pop()
  if (random.percent(2)) given.push('*')
  return given.join(', ')
}
