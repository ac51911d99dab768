import type { Problem } from '../../../text/problem.js'
import type { AggregateName } from '../../aggregate/aggregates.js'
import { LIST_LIMIT, MAX_BINS } from '../../aggregate/collection.js'
import type { FunctionName } from '../../function/functions.js'
import * as argumentProblem from '../../problem/argument.js'
import * as operandProblem from '../../problem/operand.js'
import type { Call, LiteralValue } from '../../syntax/ast.js'
import { parseJsonPath } from '../../syntax/json-path.js'
import { partNamed, TIME_PARTS, TIME_UNITS } from '../../syntax/time-part.js'
import type { Type } from '../../type.js'
import type { CheckedExpression } from '../checked.js'
import type { Context } from '../context.js'
import { groupCount } from './regex.js'

/** Returns the problem with arguments that break a rule that a signature cannot express; undefined if they do not. */
type ArgumentRule = (
  call: Call,
  values: readonly CheckedExpression[],
  context: Context,
) => Problem | undefined

/** The rules that signatures cannot express, by function. */
export const ARGUMENT_RULES: Partial<Record<FunctionName | AggregateName, ArgumentRule>> = {
  array_extract: checkJsonPath,
  bag_pack: checkPairs,
  bin: checkBin,
  case: checkCase,
  datetime_add: partRule(TIME_UNITS),
  datetime_diff: partRule(TIME_UNITS),
  datetime_part: partRule(TIME_PARTS),
  pack_dictionary: checkPairs,
  range: checkRange,
  extract: checkGroup,
  extract_all: checkGroups,
  percentile: checkPercentiles,
  percentileif: checkPercentiles,
  percentiles_array: checkPercentiles,
  percentiles_arrayif: checkPercentiles,
  histogram: countRule(1, MAX_BINS),
  histogramif: countRule(1, MAX_BINS),
  make_list: countRule(1, LIST_LIMIT),
  make_list_if: countRule(2, LIST_LIMIT),
  make_set: countRule(1, LIST_LIMIT),
  make_set_if: countRule(2, LIST_LIMIT),
  replace_regex: checkRewrite,
  phrases: countRule(1, LIST_LIMIT),
  topk: countRule(1, LIST_LIMIT),
  topkif: countRule(1, LIST_LIMIT),
}

function checkBin(call: Call, [value, size]: readonly CheckedExpression[]): Problem | undefined {
  if (value === undefined || size === undefined) return undefined
  const isTime = value.type === 'datetime' || value.type === 'timespan'
  const fits = size.type === 'dynamic' || (size.type === 'timespan') === isTime
  const positive = size.kind !== 'constant' || Number(size.value) > 0
  if (value.type === 'dynamic' ? positive : fits && positive) return undefined
  return argumentProblem.wrongBin(call.arguments[1]!.span, value.type)
}

/** Requires a constant part of time to be one of `parts`. */
function partRule(parts: readonly string[]): ArgumentRule {
  return (call, [part]) => {
    if (part?.kind !== 'constant' || typeof part.value !== 'string') return undefined
    if (partNamed(part.value, parts) !== undefined) return undefined
    const written = { name: part.value, span: call.arguments[0]!.span }
    return argumentProblem.unknownTimePart(written, { of: call.function.name, parts })
  }
}

function checkCase(
  call: Call,
  values: readonly CheckedExpression[],
  context: Context,
): Problem | undefined {
  if (values.length < 3 || values.length % 2 === 0) return argumentProblem.caseForm(call.span)
  const wrong = values.findIndex(
    ({ type }, i) => i % 2 === 0 && i < values.length - 1 && type !== 'bool' && type !== 'dynamic',
  )
  if (wrong === -1) return undefined
  const written = context.excerpt(call.arguments[wrong]!.span)
  return operandProblem.notACondition(written, values[wrong]!.type)
}

function checkPercentiles(
  call: Call,
  values: readonly CheckedExpression[],
  context: Context,
): Problem | undefined {
  const listed = values.map((value, i) => (i === 0 ? [] : percentilesOf(value)))
  const wrong = listed.findIndex((all) => !all?.every(isPercentile))
  if (wrong !== -1) return argumentProblem.percentileOutOfRange(call.arguments[wrong]!.span)
  const all = listed.flat().map(Number)
  if (all.every((one) => one <= 1) && all.some((one) => one > 0 && one < 1)) {
    context.warnings.add(argumentProblem.percentileOfShare(context.excerpt(call.span)))
  }
  return undefined
}

/** Returns the constant percentiles of an argument, which may be an array; undefined for an empty array. */
function percentilesOf(value: CheckedExpression): readonly unknown[] | undefined {
  if (value.kind !== 'constant' || value.type === 'bool') return []
  if (value.type !== 'dynamic') return [Number(value.value ?? Number.NaN)]
  const all = [JSON.parse(String(value.value)) as unknown].flat()
  return all.length > 0 ? all : undefined
}

function isPercentile(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 100
}

/** Requires a constant argument at `place` to be from 1 to `most`. */
function countRule(place: number, most: bigint): ArgumentRule {
  return (call, values) => {
    const value = values[place]
    if (value?.kind !== 'constant') return undefined
    const count = typeof value.value === 'bigint' ? value.value : 0n
    if (count >= 1n && count <= most) return undefined
    const { span } = call.arguments[place]!
    return argumentProblem.countOutOfRange({ span, most }, call.function.name)
  }
}

/** Requires a constant group to be one of a constant regex; a computed regex may have up to eight groups. */
function checkGroup(call: Call, [regex, group]: readonly CheckedExpression[]): Problem | undefined {
  if (group?.kind !== 'constant' || typeof group.value !== 'bigint') return undefined
  const isKnown = regex?.kind === 'constant' && typeof regex.value === 'string'
  const most = isKnown ? groupCount(String(regex.value)) : 8
  if (group.value >= 0n && group.value <= BigInt(most)) return undefined
  return argumentProblem.noSuchGroup(call.arguments[1]!.span, { wellFormed: true, most })
}

function checkGroups(
  call: Call,
  [regex, groups]: readonly CheckedExpression[],
): Problem | undefined {
  const numbers = groups?.kind === 'constant' ? groupNumbers(groups.value) : undefined
  const pattern = regex?.kind === 'constant' && typeof regex.value === 'string' ? regex.value : ''
  const most = pattern === '' ? 9 : groupCount(pattern)
  if (numbers?.every((number) => number <= most)) return undefined
  return argumentProblem.noSuchGroup(call.arguments[1]!.span, { wellFormed: !!numbers, most })
}

/**
 * Requires each `$2` in a rewrite to refer to a group of the regex. `\2` would be a backslash and a digit,
 * and the engine also rejects it when there is no such group.
 */
function checkRewrite(
  call: Call,
  [regex, rewrite]: readonly CheckedExpression[],
): Problem | undefined {
  if (regex?.kind !== 'constant' || rewrite?.kind !== 'constant') return undefined
  if (typeof regex.value !== 'string' || typeof rewrite.value !== 'string') return undefined
  const most = groupCount(regex.value)
  const missing = [...rewrite.value.matchAll(/([\\$])(\d)/g)].find(
    ([, , digit]) => Number(digit) > most,
  )
  if (missing === undefined) return undefined
  const { span } = call.arguments[1]!
  const [reference, sign, digit = ''] = missing
  return sign === '$'
    ? argumentProblem.noSuchGroup(span, { wellFormed: true, most })
    : argumentProblem.backslashGroup(span, { reference, digit })
}

/** Returns the group numbers in an array such as `[1, 2]`; undefined for anything else. */
function groupNumbers(value: LiteralValue): readonly number[] | undefined {
  const items: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
  if (!Array.isArray(items) || items.length === 0) return undefined
  return items.every((item) => Number.isSafeInteger(item) && item >= 0) ? items : undefined
}

/** `array_extract(tags, "$[*].name")`: a supported JSON path. */
function checkJsonPath(call: Call, [, path]: readonly CheckedExpression[]): Problem | undefined {
  const written = path?.kind === 'constant' ? path.value : undefined
  if (typeof written === 'string' && parseJsonPath(written) !== undefined) return undefined
  return argumentProblem.badJsonPath(call.arguments[1]!.span)
}

/** `range(1, 10)`, `range(ago(1d), now(), 15m)`: two numbers, or two datetimes or timespans. */
function checkRange(
  call: Call,
  [start, stop, step]: readonly CheckedExpression[],
): Problem | undefined {
  if (start === undefined || stop === undefined) return undefined
  const kind = rangeKind(start.type)
  const stepKind = kind === 'number' ? 'number' : 'timespan'
  const fits =
    kind === rangeKind(stop.type) && (step === undefined || rangeKind(step.type) === stepKind)
  return fits ? undefined : argumentProblem.wrongRange(call.span)
}

function rangeKind(type: Type): string {
  return type === 'datetime' || type === 'timespan' ? type : 'number'
}

/** `bag_pack("method", method, …)`: alternating keys and values. */
function checkPairs(call: Call, values: readonly CheckedExpression[]): Problem | undefined {
  return values.length % 2 === 0 ? undefined : argumentProblem.pairForm(call.function)
}
