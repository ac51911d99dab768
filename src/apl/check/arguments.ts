import { LIST_LIMIT, MOST_BINS } from '../aggregate/collection.js'
import type { AggregateName } from '../aggregates.js'
import type { Call, Expression, LiteralValue } from '../ast.js'
import type { CheckedExpression } from '../checked.js'
import type { FunctionName } from '../functions.js'
import * as argumentProblem from '../problem/argument.js'
import * as operandProblem from '../problem/operand.js'
import type { Parameter, Signature } from '../signature.js'
import { partNamed, TIME_PARTS, TIME_UNITS } from '../time-part.js'
import type { Type } from '../type.js'
import { checkDictionary, checkJsonPath, checkPairs, checkRange } from './collection-rule.js'
import type { Site } from './context.js'
import { checkExpression } from './expression.js'
import { checkRegex, groupCount } from './regex.js'

/** What is called: its own name, whatever other spelling of it was used. */
interface Callee {
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
  const fits = checkArgumentCount(call, signature, site)
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
    const argument = { ...context.written(written.span), type: value.type }
    context.report(argumentProblem.wrongArgument({ called, parameter, argument }))
    return false
  }
  if (parameter.constant && value.kind !== 'constant') {
    context.report(
      argumentProblem.notAConstant(called, { parameter: parameter.name, span: written.span }),
    )
    return false
  }
  return !parameter.regex || checkRegex(value, written.span, context)
}

function accepts({ accepts: types }: Parameter, type: Type): boolean {
  return type === 'dynamic' || types.includes(type) || (type === 'int' && types.includes('real'))
}

/** Whether the arguments keep a rule that a signature cannot say; reported when they do not. */
export type SpecialRule = (call: Call, values: readonly CheckedExpression[], site: Site) => boolean

/** What a signature cannot say. */
const SPECIAL: Partial<Record<FunctionName | AggregateName, SpecialRule>> = {
  array_extract: checkJsonPath,
  bag_pack: checkPairs,
  bin: checkBin,
  case: checkCase,
  datetime_add: checkPart(TIME_UNITS),
  datetime_diff: checkPart(TIME_UNITS),
  datetime_part: checkPart(TIME_PARTS),
  pack_dictionary: checkDictionary,
  range: checkRange,
  extract_all: checkGroups,
  percentile: checkPercentiles,
  percentileif: checkPercentiles,
  percentiles_array: checkPercentiles,
  percentiles_arrayif: checkPercentiles,
  histogram: countAt(1, MOST_BINS),
  histogramif: countAt(1, MOST_BINS),
  make_list: countAt(1, LIST_LIMIT),
  make_list_if: countAt(2, LIST_LIMIT),
  make_set: countAt(1, LIST_LIMIT),
  make_set_if: countAt(2, LIST_LIMIT),
  replace_regex: checkRewrite,
  phrases: countAt(1, LIST_LIMIT),
  topk: countAt(1, LIST_LIMIT),
  topkif: countAt(1, LIST_LIMIT),
}

function checkBin(call: Call, [value, size]: readonly CheckedExpression[], site: Site): boolean {
  if (value === undefined || size === undefined) return false
  const isTime = value.type === 'datetime' || value.type === 'timespan'
  const fits = size.type === 'dynamic' || (size.type === 'timespan') === isTime
  const positive = size.kind !== 'constant' || Number(size.value) > 0
  if (value.type === 'dynamic' ? positive : fits && positive) return true
  site.context.report(argumentProblem.wrongBin(call.arguments[1]!.span, value.type))
  return false
}

/** A part of time that is written out must be one. */
function checkPart(parts: readonly string[]): SpecialRule {
  return (call, [part], { context }) => {
    if (part?.kind !== 'constant' || typeof part.value !== 'string') return true
    if (partNamed(part.value, parts) !== undefined) return true
    const written = { name: part.value, span: call.arguments[0]!.span }
    context.report(argumentProblem.unknownTimePart(written, { of: call.function.name, parts }))
    return false
  }
}

function checkCase(call: Call, values: readonly CheckedExpression[], site: Site): boolean {
  if (values.length < 3 || values.length % 2 === 0) {
    site.context.report(argumentProblem.caseForm(call.span))
    return false
  }
  const wrong = values.findIndex(
    ({ type }, i) => i % 2 === 0 && i < values.length - 1 && type !== 'bool' && type !== 'dynamic',
  )
  if (wrong === -1) return true
  const written = site.context.written(call.arguments[wrong]!.span)
  site.context.report(operandProblem.notACondition(values[wrong]!.type, written))
  return false
}

function checkPercentiles(call: Call, values: readonly CheckedExpression[], site: Site): boolean {
  const wrong = values.findIndex((value, i) => i > 0 && !isPercentiles(value))
  if (wrong === -1) return true
  site.context.report(argumentProblem.percentileOutOfRange(call.arguments[wrong]!.span))
  return false
}

/** A percentile, an array of them, or what is none of the percentiles. */
function isPercentiles(value: CheckedExpression): boolean {
  if (value.kind !== 'constant' || value.type === 'bool') return true
  if (value.type !== 'dynamic') return isPercentile(Number(value.value ?? Number.NaN))
  const listed: unknown = JSON.parse(String(value.value))
  const all: readonly unknown[] = [listed].flat()
  return all.length > 0 && all.every(isPercentile)
}

function isPercentile(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 100
}

/** A number of elements, from 1 on, in that place of the arguments. */
function countAt(place: number, most: bigint): SpecialRule {
  return (call, values, site) => {
    const value = values[place]
    if (value?.kind !== 'constant') return true
    if (typeof value.value === 'bigint' && value.value >= 1n && value.value <= most) return true
    const written = site.context.written(call.arguments[place]!.span)
    site.context.report(argumentProblem.countOutOfRange(call.function.name, { ...written, most }))
    return false
  }
}

function checkGroups(
  call: Call,
  [regex, groups]: readonly CheckedExpression[],
  site: Site,
): boolean {
  const numbers = groups?.kind === 'constant' ? groupNumbers(groups.value) : undefined
  const pattern = regex?.kind === 'constant' && typeof regex.value === 'string' ? regex.value : ''
  const most = pattern === '' ? 9 : groupCount(pattern)
  if (numbers?.every((number) => number <= most)) return true
  site.context.report(
    argumentProblem.noSuchGroup(call.arguments[1]!.span, { wellFormed: !!numbers, most }),
  )
  return false
}

/** `$2` in a rewrite is a group of the regex. */
function checkRewrite(
  call: Call,
  [regex, rewrite]: readonly CheckedExpression[],
  site: Site,
): boolean {
  if (regex?.kind !== 'constant' || rewrite?.kind !== 'constant') return true
  if (typeof regex.value !== 'string' || typeof rewrite.value !== 'string') return true
  const most = groupCount(regex.value)
  const used = [...rewrite.value.matchAll(/\$(\d)/g)].map((match) => Number(match[1]))
  if (used.every((number) => number <= most)) return true
  site.context.report(
    argumentProblem.noSuchGroup(call.arguments[1]!.span, { wellFormed: true, most }),
  )
  return false
}

/** `[1, 2]`: the groups that are asked for, when it is a list of numbers. */
function groupNumbers(value: LiteralValue): readonly number[] | undefined {
  const items: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
  if (!Array.isArray(items) || items.length === 0) return undefined
  return items.every((item) => Number.isSafeInteger(item) && item >= 0) ? items : undefined
}
