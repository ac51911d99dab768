import { parseJsonPath } from '../json-path.js'
import * as argumentProblem from '../problem/argument.js'
import type { Type } from '../type.js'
import type { SpecialRule } from './arguments.js'

/** `array_extract(tags, "$[*].name")`: a path that can be followed. */
export const checkJsonPath: SpecialRule = (call, [, path], { context }) => {
  if (path?.kind !== 'constant') return false
  if (typeof path.value === 'string' && parseJsonPath(path.value) !== undefined) return true
  context.report(argumentProblem.badJsonPath(call.arguments[1]!.span))
  return false
}

/** `range(1, 10)`, `range(ago(1d), now(), 15m)`: two numbers, or two times of one kind. */
export const checkRange: SpecialRule = (call, [start, stop, step], { context }) => {
  if (start === undefined || stop === undefined) return false
  const kind = kindOf(start.type)
  const stepKind = kind === 'number' ? 'number' : 'timespan'
  if (kind === kindOf(stop.type) && (step === undefined || kindOf(step.type) === stepKind)) {
    return true
  }
  context.report(argumentProblem.wrongRange(call.span))
  return false
}

function kindOf(type: Type): string {
  return type === 'datetime' || type === 'timespan' ? type : 'number'
}

/** `bag_pack("method", method, …)`: keys and values in turns. */
export const checkPairs: SpecialRule = (call, values, { context }) => {
  if (values.length % 2 === 0) return true
  context.report(argumentProblem.pairForm(call.function))
  return false
}

/** `pack_dictionary("method", method, …)`: the keys are written out. */
export const checkDictionary: SpecialRule = (call, values, site) => {
  if (!checkPairs(call, values, site)) return false
  const isKey = (i: number) => values[i]?.kind === 'constant' && values[i]?.type === 'string'
  const wrong = values.findIndex((_, i) => i % 2 === 0 && !isKey(i))
  if (wrong === -1) return true
  site.context.report(argumentProblem.computedKey(call.arguments[wrong]!.span))
  return false
}
