import type { AggregateName } from '../aggregates.js'
import type { Call, Expression } from '../ast.js'
import type { CheckedExpression } from '../checked.js'
import type { FunctionName } from '../functions.js'
import * as problem from '../problems.js'
import type { Parameter, Signature } from '../signature.js'
import type { Type } from '../type.js'
import type { Site } from './context.js'
import { checkExpression } from './expression.js'
import { checkRegex } from './regex.js'

/** What is called: its own name, whatever other spelling of it was used. */
export interface Callee {
  readonly name: FunctionName | AggregateName
  readonly signature: Signature
}

/** The arguments of a call, when each is one that its parameter takes. */
export function checkArguments(
  call: Call,
  callee: Callee,
  site: Site,
): readonly CheckedExpression[] | undefined {
  const { signature } = callee
  const called = { name: call.function.name, signature, span: call.function.span }
  const fits = checkCount(call, signature, site)
  const written = call.arguments.filter((one) => fits || one.kind !== 'star')
  const values = written.map((argument) => checkExpression(argument, site))
  const found = values.filter((value) => value !== undefined)
  if (!fits || found.length < values.length) return undefined
  const accepted = found.map((value, i) => {
    const parameter = signature.parameters[Math.min(i, signature.parameters.length - 1)]!
    return acceptArgument({ called, parameter, value, written: written[i]!, site })
  })
  const whole = accepted.every(Boolean) && SPECIAL[callee.name]?.(call, found, site) !== false
  return whole ? found : undefined
}

/** Whether a call has as many arguments as its signature; reported when it has not. */
export function checkCount(call: Call, signature: Signature, { context }: Site): boolean {
  const given = call.arguments.length
  if (isCount(signature, given)) return true
  const called = { name: call.function.name, signature, span: call.function.span }
  context.report(problem.wrongArgumentCount(called, given))
  return false
}

function isCount({ parameters }: Signature, given: number): boolean {
  const least = parameters.filter((parameter) => !parameter.optional).length
  const repeats = parameters.at(-1)?.repeated === true
  return given >= least && (repeats || given <= parameters.length)
}

interface Argument {
  readonly called: problem.Called
  readonly parameter: Parameter
  readonly value: CheckedExpression
  readonly written: Expression
  readonly site: Site
}

function acceptArgument({ called, parameter, value, written, site }: Argument): boolean {
  const { context } = site
  if (!accepts(parameter, value.type)) {
    const argument = { ...context.written(written.span), type: value.type }
    context.report(problem.wrongArgument({ called, parameter, argument }))
    return false
  }
  if (parameter.constant && value.kind !== 'constant') {
    context.report(problem.notAConstant(called, { parameter: parameter.name, span: written.span }))
    return false
  }
  return !parameter.regex || checkRegex(value, written.span, context)
}

function accepts({ accepts: types }: Parameter, type: Type): boolean {
  return type === 'dynamic' || types.includes(type) || (type === 'int' && types.includes('real'))
}

type SpecialRule = (call: Call, values: readonly CheckedExpression[], site: Site) => boolean

/** What a signature cannot say. */
const SPECIAL: Partial<Record<FunctionName | AggregateName, SpecialRule>> = {
  bin: checkBin,
  case: checkCase,
  percentile: checkPercentile,
}

function checkBin(call: Call, [value, size]: readonly CheckedExpression[], site: Site): boolean {
  if (value === undefined || size === undefined) return false
  const isTime = value.type === 'datetime' || value.type === 'timespan'
  const fits = size.type === 'dynamic' || (size.type === 'timespan') === isTime
  const positive = size.kind !== 'constant' || Number(size.value) > 0
  if (value.type === 'dynamic' ? positive : fits && positive) return true
  site.context.report(problem.wrongBin(call.arguments[1]!.span, value.type))
  return false
}

function checkCase(call: Call, values: readonly CheckedExpression[], site: Site): boolean {
  if (values.length < 3 || values.length % 2 === 0) {
    site.context.report(problem.caseForm(call.span))
    return false
  }
  const wrong = values.findIndex(
    ({ type }, i) => i % 2 === 0 && i < values.length - 1 && type !== 'bool' && type !== 'dynamic',
  )
  if (wrong === -1) return true
  const written = site.context.written(call.arguments[wrong]!.span)
  site.context.report(problem.notACondition(values[wrong]!.type, written))
  return false
}

function checkPercentile(call: Call, [, rank]: readonly CheckedExpression[], site: Site): boolean {
  const value = rank?.kind === 'constant' ? Number(rank.value ?? Number.NaN) : Number.NaN
  if (value >= 0 && value <= 100) return true
  site.context.report(problem.percentileOutOfRange(call.arguments[1]!.span))
  return false
}
