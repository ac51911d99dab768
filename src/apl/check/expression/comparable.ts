import { isInt64 } from '../../../text/integer.js'
import { datetimeOutOfRange } from '../../problem/literal.js'
import { cannotCompare, notATime, type Operation } from '../../problem/operand.js'
import { parseDatetime } from '../../syntax/datetime.js'
import type { CheckedExpression, Constant } from '../checked.js'
import type { Context } from '../context.js'
import { constantAs, constantOf } from './constant.js'

export type Pair = readonly [CheckedExpression, CheckedExpression]

/** Converts the two values to comparable types. */
export function comparable([left, right]: Pair, operation: Operation, context: Context): Pair {
  const unreadable = [left, right].find(isNeverATime)
  if (unreadable !== undefined) {
    return context.refuse(notATime(unreadable === left ? operation.left : operation.right))
  }
  if (left.type === right.type) return [left, right]
  if (left.type === 'dynamic' || right.type === 'dynamic') return [left, right]
  if (isNumber(left) && isNumber(right)) return [left, right]
  const readRight = readAs(right, left)
  if (readRight !== undefined) return [left, readRight]
  const readLeft = readAs(left, right)
  if (readLeft !== undefined) return [readLeft, right]
  const timeAndText = [left, right].find(isTextConstant)
  const withTime = left.type === 'datetime' || right.type === 'datetime'
  if (withTime && timeAndText !== undefined) {
    const written = timeAndText === left ? operation.left : operation.right
    const outside = parseDatetime(String(timeAndText.value)) !== undefined
    return context.refuse(outside ? datetimeOutOfRange(written) : notATime(written))
  }
  return context.refuse(cannotCompare(operation))
}

/** Converts a literal to the type of the other side, as for quoted datetimes and numbers; undefined if impossible. */
function readAs(literal: CheckedExpression, other: CheckedExpression): Constant | undefined {
  if (literal.kind !== 'constant') return undefined
  // A string field compared with a number: the strings are converted at run time.
  if (isNumber(literal) && other.type === 'string') return literal
  if (typeof literal.value !== 'string' || literal.type !== 'string') return undefined
  if (other.type === 'datetime') return constantAs(literal, 'datetime')
  return isNumber(other) ? numberConstant(literal.value) : undefined
}

function isNumber({ type }: CheckedExpression): boolean {
  return type === 'int' || type === 'real'
}

/** True for `todatetime("yesterday")`, which is null: the text of every time contains a digit. */
function isNeverATime(value: CheckedExpression): boolean {
  if (value.kind !== 'invocation' || value.function !== 'todatetime') return false
  const [text] = value.arguments
  return text !== undefined && isTextConstant(text) && !/\d/.test(String(text.value))
}

function isTextConstant(value: CheckedExpression): value is Constant {
  return value.kind === 'constant' && value.type === 'string'
}

function numberConstant(text: string): Constant | undefined {
  const written = text.trim()
  if (/^[+-]?\d{1,19}$/.test(written)) {
    const value = BigInt(written)
    if (isInt64(value)) return constantOf('int', value)
  }
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(written)) return undefined
  const value = Number(written)
  return Number.isFinite(value) ? constantOf('real', value) : undefined
}
