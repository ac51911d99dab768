import { AGGREGATES, type AggregateName, isAggregateName } from '../../aggregate/aggregates.js'
import { FUNCTIONS, type FunctionName } from '../../function/functions.js'
import type { Parameter, Signature } from '../../function/signature.js'
import * as argumentProblem from '../../problem/argument.js'
import type { Call, Expression } from '../../syntax/ast.js'
import type { Type } from '../../type.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { checkExpression } from '../recursion.js'
import { ARGUMENT_RULES } from './argument-rules.js'
import { checkRegex } from './regex.js'

/**
 * Checks the arguments of a call against the signature of a function, named canonically rather than by an alias. Returns undefined
 * when a problem has been reported.
 */
export function checkArguments(
  call: Call,
  name: FunctionName | AggregateName,
  site: Site,
): readonly CheckedExpression[] | undefined {
  const signature: Signature = isAggregateName(name) ? AGGREGATES[name] : FUNCTIONS[name]
  const called = { name: call.function.name, signature, span: call.function.span }
  const fits = checkArgumentCount(call, signature, site)
  const written = call.arguments.filter((one) => fits || one.kind !== 'star')
  const values = written.map((argument) => checkExpression(argument, site))
  const found = values.filter((value) => value !== undefined)
  if (!fits || found.length < values.length) return undefined
  const accepted = found.map((value, i) => {
    const parameter = signature.parameters[Math.min(i, signature.parameters.length - 1)]!
    return acceptArgument({ called, parameter, value, written: written[i]!, site })
  })
  if (!accepted.every(Boolean)) return undefined
  const problem = ARGUMENT_RULES[name]?.(call, found, site.context)
  return problem === undefined ? found : site.context.report(problem)
}

/** Returns false, with a problem reported, when the number of arguments does not match the signature. */
export function checkArgumentCount(call: Call, signature: Signature, { context }: Site): boolean {
  const given = call.arguments.length
  if (isCount(signature, given)) return true
  const called = { name: call.function.name, signature, span: call.function.span }
  context.report(argumentProblem.wrongArgumentCount(called, given))
  return false
}

function isCount({ parameters }: Signature, given: number): boolean {
  const least = parameters.filter((parameter) => !parameter.optional).length
  const repeats = parameters.at(-1)?.repeated === true
  return given >= least && (repeats || given <= parameters.length)
}

interface Argument {
  readonly called: argumentProblem.Called
  readonly parameter: Parameter
  readonly value: CheckedExpression
  readonly written: Expression
  readonly site: Site
}

function acceptArgument({ called, parameter, value, written, site }: Argument): boolean {
  const { context } = site
  if (!accepts(parameter, value.type)) {
    const argument = context.operand(written, value)
    context.report(argumentProblem.wrongArgument(argument, called, parameter))
    return false
  }
  if (parameter.constant && value.kind !== 'constant') {
    context.report(argumentProblem.notAConstant(written.span, called, parameter.name))
    return false
  }
  return !parameter.regex || checkRegex(value, written.span, context)
}

/** Returns the type of a call with these arguments. */
export function resultType({ result }: Signature, values: readonly CheckedExpression[]): Type {
  return typeof result === 'function' ? result(values.map((value) => value.type)) : result
}

function accepts({ accepts: types }: Parameter, type: Type): boolean {
  return type === 'dynamic' || types.includes(type) || (type === 'int' && types.includes('real'))
}
