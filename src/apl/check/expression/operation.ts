import { ownValue } from '../../../text/own-value.js'
import { starHere } from '../../problem/argument.js'
import {
  cannotCombine,
  type Operation,
  quotedField,
  timeAsString,
  wrongOperand,
} from '../../problem/operand.js'
import type { Between, Binary, BinaryOperator, Expression, Unary } from '../../syntax/ast.js'
import { type OperatorName, PRECEDENCE, precedenceOf } from '../../syntax/words.js'
import type { Type } from '../../type.js'
import type { CheckedExpression, Column } from '../checked.js'
import type { Site } from '../context.js'
import { checkExpression, checkExpressions } from '../recursion.js'
import { testAnyColumn } from './any-column.js'
import { comparable, type Pair } from './comparable.js'
import { invoke } from './invoke.js'
import { checkRegex } from './regex.js'

/** Checks `not x`, `-x` and `+x`. */
export function checkUnary(unary: Unary, site: Site): CheckedExpression {
  const value = checkExpression(unary.operand, site)
  const operand = site.context.operand(unary.operand, value)
  const { operator } = unary
  if (operator === 'not') {
    if (isCondition(value.type)) return invoke('not', 'bool', [value])
    return site.context.refuse(wrongOperand(operand, operator, 'condition'))
  }
  if (!isNumber(value.type) && value.type !== 'timespan') {
    return site.context.refuse(wrongOperand(operand, operator, 'number'))
  }
  const type = value.type === 'dynamic' ? 'real' : value.type
  return operator === '-' ? invoke('negate', type, [value]) : value
}

/** Checks the binary operators: `a and b`, `a == b`, `a + b`, `a has "error"`. */
export function checkBinary(binary: Binary, site: Site): CheckedExpression {
  const { operator } = binary
  if (binary.left.kind === 'star' && isTextOperator(operator)) {
    return checkEveryColumn(binary, site)
  }
  const pair = checkExpressions([binary.left, binary.right], site)
  if (operator === 'and' || operator === 'or') {
    return checkOperands(binary, pair, site, 'condition')
  }
  if (precedenceOf(operator) > PRECEDENCE.comparison) return checkArithmetic(binary, pair, site)
  warnOfQuotedField(binary, pair, site)
  warnOfTimeAsString(binary, pair, site)
  if (!COMPARISONS.includes(operator)) return checkOperands(binary, pair, site, 'text')
  return invoke(operator, 'bool', comparable(pair, operationOf(binary, pair, site), site.context))
}

/** Warns of `"path" == "/a"`, which compares two strings, when there is a field `path`. */
function warnOfQuotedField({ left }: Binary, [value, other]: Pair, site: Site): void {
  if (value.kind !== 'constant' || other.kind !== 'constant' || left.kind !== 'literal') return
  if (typeof left.value !== 'string' || site.scope.find(left.value) === undefined) return
  site.context.warnings.add(quotedField(site.context.excerpt(left.span), left.value))
}

/** Warns of `time > "2026-01-31 10:00"` for a field of strings, whose order is that of the times only if all have one layout. */
function warnOfTimeAsString({ operator, left, right }: Binary, pair: Pair, site: Site): void {
  if (!/[<>]/.test(operator) || left.kind !== 'name' || right.kind !== 'literal') return
  if (pair.some(({ type }) => type !== 'string') || !DATE.test(String(right.value))) return
  site.context.warnings.add(timeAsString(site.context.excerpt(left.span)))
}

const DATE = /^\d{4}-\d\d-\d\d[T ]\d/

/** The comparisons of values of any type; the others are of strings. */
const COMPARISONS: readonly BinaryOperator[] = ['==', '!=', '<', '<=', '>', '>=']

function checkArithmetic(binary: Binary, pair: Pair, site: Site): CheckedExpression {
  const type = arithmeticType(binary.operator, pair[0].type, pair[1].type)
  if (type !== undefined) return invoke(binary.operator, type, pair)
  return site.context.refuse(cannotCombine(operationOf(binary, pair, site)))
}

/** Requires both sides to be booleans, or both to be strings. */
function checkOperands(
  binary: Binary,
  pair: Pair,
  site: Site,
  takes: 'condition' | 'text',
): CheckedExpression {
  const { operator } = binary
  const fits = takes === 'condition' ? isCondition : isText
  const written = [binary.left, binary.right]
  const wrong = pair.findIndex((value) => !fits(value.type))
  if (wrong !== -1) {
    const operand = site.context.operand(written[wrong]!, pair[wrong]!)
    site.context.refuse(wrongOperand(operand, operator, takes))
  }
  if (isRegex(operator)) checkRegex(pair[1], binary.right.span, site.context)
  return invoke(operator, 'bool', pair)
}

/**
 * Checks `x between (low .. high)`: the value must be comparable with both bounds. For a time, the second bound may be the length of
 * the range, as in Kusto: `_time between (ago(1d) .. 1h)`.
 */
export function checkBetween(between: Between, site: Site): CheckedExpression {
  const [value, low, high] = checkExpressions([between.value, between.low, between.high], site)
  const operator = between.negated ? '!between' : 'between'
  const left = site.context.operand(between.value, value)
  const bound = (written: Expression, checked: CheckedExpression) => {
    const right = site.context.operand(written, checked)
    const operation = { operator, span: between.operatorSpan, left, right }
    return comparable([value, checked], operation, site.context)[1]
  }
  const from = bound(between.low, low)
  const isLength = from.type === 'datetime' && high.type === 'timespan'
  const to = isLength ? invoke('+', 'datetime', [from, high]) : bound(between.high, high)
  return invoke(operator, 'bool', [value, from, to])
}

function operationOf(binary: Binary, [left, right]: Pair, site: Site): Operation {
  return {
    operator: binary.operator,
    span: binary.operatorSpan,
    left: site.context.operand(binary.left, left),
    right: site.context.operand(binary.right, right),
  }
}

function isCondition(type: Type): boolean {
  return type === 'bool' || type === 'dynamic'
}

/** Returns true if string operators accept values of the type. */
export function isText(type: Type): boolean {
  return type === 'string' || type === 'dynamic'
}

/** Checks an operand that must be a string. */
export function checkText(written: Expression, operator: string, site: Site): CheckedExpression {
  const value = checkExpression(written, site)
  if (isText(value.type)) return value
  const operand = site.context.operand(written, value)
  return site.context.refuse(wrongOperand(operand, operator, 'text'))
}

/** Checks `* has "error"`: true if any column that is searched, converted to a string, passes the test. */
function checkEveryColumn(binary: Binary, site: Site): CheckedExpression {
  const { operator } = binary
  const right = checkText(binary.right, operator, site)
  if (isRegex(operator)) checkRegex(right, binary.right.span, site.context)
  if (site.aggregates === 'group') site.context.refuse(starHere(binary.left.span))
  // A negated operator is true if no column passes the test.
  const plain = operator.startsWith('!') ? (operator.slice(1) as OperatorName) : operator
  const unsearched = site.context.environment.inputs?.unsearched ?? []
  const test = (columns: readonly Column[]) => {
    const searched = columns.filter(({ name }) => !unsearched.includes(name))
    return testAnyColumn(searched, plain, right)
  }
  const found = right.kind === 'constant' ? site.scope.any(test) : test(site.scope.columns)
  return plain === operator ? found : invoke('not', 'bool', [found])
}

function isTextOperator(operator: BinaryOperator): boolean {
  return (
    /^!?(?:contains|startswith|endswith|has|hasprefix|hassuffix)(?:_cs)?$/.test(operator) ||
    isRegex(operator)
  )
}

function isRegex(operator: BinaryOperator): boolean {
  return operator === 'matches regex' || operator === '!matches regex'
}

/** Returns the type of an arithmetic operation; undefined when the operands cannot be combined. */
function arithmeticType(operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  if (isNumber(left) && isNumber(right)) return left === 'int' && right === 'int' ? 'int' : 'real'
  const pair = `${arithmeticKind(left)} ${operator} ${arithmeticKind(right)}`
  return ownValue(WITH_TIME, pair)
}

const WITH_TIME: Readonly<Record<string, Type>> = {
  'datetime + timespan': 'datetime',
  'timespan + datetime': 'datetime',
  'datetime - timespan': 'datetime',
  'datetime - datetime': 'timespan',
  'timespan + timespan': 'timespan',
  'timespan - timespan': 'timespan',
  'timespan * number': 'timespan',
  'number * timespan': 'timespan',
  'timespan / timespan': 'real',
  'timespan / number': 'timespan',
  'timespan % timespan': 'timespan',
}

/** Returns true for numbers and for dynamic values, which are treated as numbers unless combined with a time. */
function isNumber(type: Type): boolean {
  return type === 'int' || type === 'real' || type === 'dynamic'
}

function arithmeticKind(type: Type): string {
  return isNumber(type) ? 'number' : type
}
