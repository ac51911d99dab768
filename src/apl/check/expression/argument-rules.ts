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
import type { Site } from '../context.js'
import { groupCount } from './regex.js'

/** Returns false, with a problem reported, when the arguments break a rule that a signature cannot express. */
type ArgumentRule = (call: Call, values: readonly CheckedExpression[], site: Site) => boolean

/** The rules that signatures cannot express, by function. */
export const ARGUMENT_RULES: Partial<Record<FunctionName | AggregateName, ArgumentRule>> = {
  array_extract: checkJsonPath,
  bag_pack: checkPairs,
  bin: checkBin,
  case: checkCase,
  datetime_add: partRule(TIME_UNITS),
  datetime_diff: partRule(TIME_UNITS),
  datetime_part: partRule(TIME_PARTS),
  pack_dictionary: checkDictionary,
  range: checkRange,
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

function checkBin(call: Call, [value, size]: readonly CheckedExpression[], site: Site): boolean {
  if (value === undefined || size === undefined) return false
  const isTime = value.type === 'datetime' || value.type === 'timespan'
  const fits = size.type === 'dynamic' || (size.type === 'timespan') === isTime
  const positive = size.kind !== 'constant' || Number(size.value) > 0
  if (value.type === 'dynamic' ? positive : fits && positive) return true
  site.context.report(argumentProblem.wrongBin(call.arguments[1]!.span, value.type))
  return false
}

/** Requires a constant part of time to be one of `parts`. */
function partRule(parts: readonly string[]): ArgumentRule {
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
  const written = site.context.excerpt(call.arguments[wrong]!.span)
  site.context.report(operandProblem.notACondition(values[wrong]!.type, written))
  return false
}

function checkPercentiles(call: Call, values: readonly CheckedExpression[], site: Site): boolean {
  const wrong = values.findIndex((value, i) => i > 0 && !isPercentiles(value))
  if (wrong === -1) return true
  site.context.report(argumentProblem.percentileOutOfRange(call.arguments[wrong]!.span))
  return false
}

/** Returns false for a constant that is neither a percentile nor an array of percentiles. */
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

/** Requires a constant argument at `place` to be from 1 to `most`. */
function countRule(place: number, most: bigint): ArgumentRule {
  return (call, values, site) => {
    const value = values[place]
    if (value?.kind !== 'constant') return true
    if (typeof value.value === 'bigint' && value.value >= 1n && value.value <= most) return true
    const written = site.context.excerpt(call.arguments[place]!.span)
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

/**
 * Requires each `$2` in a rewrite to refer to a group of the regex. `\2` would be a backslash and a digit,
 * and the engine also rejects it when there is no such group.
 */
function checkRewrite(
  call: Call,
  [regex, rewrite]: readonly CheckedExpression[],
  site: Site,
): boolean {
  if (regex?.kind !== 'constant' || rewrite?.kind !== 'constant') return true
  if (typeof regex.value !== 'string' || typeof rewrite.value !== 'string') return true
  const most = groupCount(regex.value)
  const missing = [...rewrite.value.matchAll(/([\\$])(\d)/g)].find(
    ([, , digit]) => Number(digit) > most,
  )
  if (missing === undefined) return true
  const { span } = call.arguments[1]!
  const [reference, sign, digit = ''] = missing
  site.context.report(
    sign === '$'
      ? argumentProblem.noSuchGroup(span, { wellFormed: true, most })
      : argumentProblem.backslashGroup(span, { reference, digit }),
  )
  return false
}

/** Returns the group numbers in an array such as `[1, 2]`; undefined for anything else. */
function groupNumbers(value: LiteralValue): readonly number[] | undefined {
  const items: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
  if (!Array.isArray(items) || items.length === 0) return undefined
  return items.every((item) => Number.isSafeInteger(item) && item >= 0) ? items : undefined
}

/** `array_extract(tags, "$[*].name")`: a supported JSON path. */
function checkJsonPath(
  call: Call,
  [, path]: readonly CheckedExpression[],
  { context }: Site,
): boolean {
  if (path?.kind !== 'constant') return false
  if (typeof path.value === 'string' && parseJsonPath(path.value) !== undefined) return true
  context.report(argumentProblem.badJsonPath(call.arguments[1]!.span))
  return false
}

/** `range(1, 10)`, `range(ago(1d), now(), 15m)`: two numbers, or two datetimes or timespans. */
function checkRange(
  call: Call,
  [start, stop, step]: readonly CheckedExpression[],
  { context }: Site,
): boolean {
  if (start === undefined || stop === undefined) return false
  const kind = rangeKind(start.type)
  const stepKind = kind === 'number' ? 'number' : 'timespan'
  if (kind === rangeKind(stop.type) && (step === undefined || rangeKind(step.type) === stepKind)) {
    return true
  }
  context.report(argumentProblem.wrongRange(call.span))
  return false
}

function rangeKind(type: Type): string {
  return type === 'datetime' || type === 'timespan' ? type : 'number'
}

/** `bag_pack("method", method, …)`: alternating keys and values. */
function checkPairs(call: Call, values: readonly CheckedExpression[], { context }: Site): boolean {
  if (values.length % 2 === 0) return true
  context.report(argumentProblem.pairForm(call.function))
  return false
}

/** `pack_dictionary("method", method, …)`: the keys are constants. */
function checkDictionary(call: Call, values: readonly CheckedExpression[], site: Site): boolean {
  if (!checkPairs(call, values, site)) return false
  const isKey = (i: number) => values[i]?.kind === 'constant' && values[i]?.type === 'string'
  const wrong = values.findIndex((_, i) => i % 2 === 0 && !isKey(i))
  if (wrong === -1) return true
  site.context.report(argumentProblem.computedKey(call.arguments[wrong]!.span))
  return false
}
