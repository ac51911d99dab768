import { AGGREGATES, type AggregateName, isAggregateName } from '../../aggregate/aggregates.js'
import { FUNCTIONS, type FunctionName } from '../../function/functions.js'
import { argumentRange, type Parameter, type Signature } from '../../function/signature.js'
import * as argumentProblem from '../../problem/argument.js'
import type { Call, Expression } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { CheckedExpression } from '../checked.js'
import type { Context, Site } from '../context.js'
import { checkExpressions } from '../recursion.js'
import { ARGUMENT_RULES } from './argument-rules.js'
import { checkRegex } from './regex.js'

/** Checks the arguments of a call against the signature of a function, named canonically rather than by an alias. */
export function checkArguments(
  call: Call,
  name: FunctionName | AggregateName,
  site: Site,
): readonly CheckedExpression[] {
  const { context } = site
  const signature: Signature = isAggregateName(name) ? AGGREGATES[name] : FUNCTIONS[name]
  const called = { ...call.function, signature }
  if (!isCount(signature, call.arguments.length)) {
    context.report(argumentProblem.wrongArgumentCount(called, call.arguments.length))
    // The problems of the arguments are independent of their number.
    const others = call.arguments.filter(({ kind }) => kind !== 'star')
    checkExpressions(others, site)
    return context.refuse()
  }
  const found = checkExpressions(call.arguments, site)
  const values = context.all(found, (value, i) => {
    const parameter = signature.parameters[Math.min(i, signature.parameters.length - 1)]!
    return acceptArgument({ called, parameter, value, written: call.arguments[i]!, context })
  })
  const problem = ARGUMENT_RULES[name]?.(call, values, context)
  return problem === undefined ? values : context.refuse(problem)
}

/** Requires a number of arguments that matches the signature. */
export function checkArgumentCount(call: Call, signature: Signature, { context }: Site): void {
  const given = call.arguments.length
  if (isCount(signature, given)) return
  context.refuse(argumentProblem.wrongArgumentCount({ ...call.function, signature }, given))
}

function isCount(signature: Signature, given: number): boolean {
  const [least, most] = argumentRange(signature)
  return given >= least && given <= most
}

interface Argument {
  readonly called: argumentProblem.Called
  readonly parameter: Parameter
  readonly value: CheckedExpression
  readonly written: Expression
  readonly context: Context
}

function acceptArgument(argument: Argument): CheckedExpression {
  const { called, parameter, value, written, context } = argument
  if (!accepts(parameter, value.type)) {
    const operand = context.operand(written, value)
    context.refuse(argumentProblem.wrongArgument(operand, called, parameter))
  }
  if (parameter.constant && value.kind !== 'constant') {
    context.refuse(argumentProblem.notAConstant(written.span, called, parameter.name))
  }
  if (parameter.regex) checkRegex(value, written.span, context)
  return value
}

/** Returns the type of a call with these arguments. */
export function resultType({ result }: Signature, values: readonly CheckedExpression[]): Type {
  return typeof result === 'function' ? result(values.map((value) => value.type)) : result
}

function accepts({ accepts: types }: Parameter, type: Type): boolean {
  return type === 'dynamic' || types.includes(type) || (type === 'int' && types.includes('real'))
}
