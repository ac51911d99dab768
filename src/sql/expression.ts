import { AGGREGATES } from '../apl/aggregate/aggregates.js'
import type {
  Aggregate,
  CheckedExpression,
  CheckedSubquery,
  Invocation,
  Path,
} from '../apl/check/checked.js'
import { FUNCTIONS, type FunctionName, isFunctionName } from '../apl/function/functions.js'
import type { Parameter } from '../apl/function/signature.js'
import type { OperatorName } from '../apl/syntax/words.js'
import type { Type } from '../apl/type.js'
import { AGGREGATES_SQL } from './aggregate/aggregates.js'
import { FUNCTIONS_SQL } from './function/functions.js'
import { OPERATORS } from './function/operators.js'
import type { Scope } from './scope.js'
import { list, type Sql, sql } from './sql.js'
import { keyPair, nullSafe } from './stage/join-key.js'
import { negated } from './type/compare.js'
import { convert, folded } from './type/convert.js'
import { element } from './type/json-path.js'
import { bounded, constant, derived, type Value } from './value.js'
import { operandsOf } from './walk.js'

/** Compiles an expression to its value in each row. */
export function expression(node: CheckedExpression, scope: Scope): Value {
  switch (node.kind) {
    case 'constant':
      return constant(node.type, node.value)
    case 'reference':
      return scope.column(node.column)
    case 'path':
      return path(node, scope)
    case 'invocation':
      return convert(invocation(node, scope), node.type)
    case 'aggregate':
      return convert(aggregate(node, scope), node.type)
    case 'subquery':
      throw new Error('a nested query is not a scalar value')
    default:
      return node satisfies never
  }
}

/** Compiles a predicate for a context in which null counts as false. */
export function filter(node: CheckedExpression, scope: Scope): Sql {
  const value = convert(expression(node, scope), 'bool')
  return value.filter ?? value.sql
}

function path(node: Path, scope: Scope): Value {
  return element(convert(expression(node.value, scope), 'dynamic'), expression(node.key, scope))
}

function invocation(node: Invocation, scope: Scope): Value {
  const name = node.function
  if (isFunctionName(name)) return call(name, node, scope)
  const [value, among] = node.arguments
  if (value && among?.kind === 'subquery') return membership(name, value, among, scope)
  const operands = operandsOf(node).map((operand) => expression(operand, scope))
  return bounded(operands, (values) => OPERATORS[name](values, node.type))
}

/** `value in (query)` and its variants: true when the value equals one of the query's values. Null equals null. */
function membership(
  name: OperatorName,
  value: CheckedExpression,
  among: CheckedSubquery,
  scope: Scope,
): Value {
  const { pipeline } = among
  const rows = scope.rowsOf(pipeline)
  const listed = rows.columns.get(pipeline.columns[0]!.id)
  if (!listed) throw new Error('the nested query has no column')
  const pair = [expression(value, scope), listed.value] as const
  const [a, b] = keyPair(...((name.endsWith('~') ? pair.map(folded) : pair) as typeof pair))
  const [sought, found] = nullSafe(a, b)
  const test = sql`((${list(sought)}) IN (SELECT ${list(found)} FROM ${rows.from}))`
  const isFound = derived('bool', test, [])
  return name.startsWith('!') ? negated(isFound) : isFound
}

function call(name: FunctionName, node: Invocation, scope: Scope): Value {
  const { parameters } = FUNCTIONS[name]
  const options = { type: node.type, now: scope.now }
  return bounded(compiled(node.arguments, scope), (values) =>
    FUNCTIONS_SQL[name](accepted(values, parameters), options),
  )
}

function aggregate(node: Aggregate, scope: Scope): Value {
  const values = argumentsOf(node, scope)
  return AGGREGATES_SQL[node.function](values, { ...scope.group, type: node.type })
}

export function argumentsOf(node: Aggregate, scope: Scope): readonly Value[] {
  return accepted(compiled(node.arguments, scope), AGGREGATES[node.function].parameters)
}

function compiled(nodes: readonly CheckedExpression[], scope: Scope): readonly Value[] {
  return nodes.map((node) => expression(node, scope))
}

/** Converts arguments to types that the parameters accept. */
function accepted(values: readonly Value[], parameters: readonly Parameter[]): readonly Value[] {
  return values.map((value, i) => {
    const parameter = parameters[Math.min(i, parameters.length - 1)]
    return parameter ? acceptedBy(parameter, value) : value
  })
}

/** Converts a dynamic value to the parameter's type. Parameters that accept both strings and numbers get it unchanged. */
function acceptedBy({ accepts }: Parameter, value: Value): Value {
  if (accepts.includes(value.type)) return value
  if (value.type === 'dynamic' && accepts.includes('string') && accepts.length > 1) return value
  const type: Type = accepts.includes('real') ? 'real' : (accepts[0] ?? value.type)
  return convert(value, type)
}
