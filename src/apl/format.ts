import type {
  Assignment,
  Call,
  Expression,
  Literal,
  NamePattern,
  Operator,
  Query,
  SortKey,
} from './ast.js'
import { formatDatetime } from './datetime.js'
import { quote } from './string-literal.js'
import { formatTimespan } from './timespan.js'
import { PRECEDENCE, precedenceOf } from './words.js'

/** A query as APL text, a step a line; reading it again gives the same tree. */
export function formatQuery(query: Query): string {
  const steps = query.operators.map((operator) => `| ${formatOperator(operator)}`)
  return [`[${quote(query.source.name)}]`, ...steps].join('\n')
}

function formatOperator(operator: Operator): string {
  switch (operator.kind) {
    case 'where':
      return `where ${formatExpression(operator.predicate)}`
    case 'extend':
    case 'project':
      return `${operator.kind} ${operator.assignments.map(formatAssignment).join(', ')}`
    case 'project-away':
      return `project-away ${operator.patterns.map(formatPattern).join(', ')}`
    case 'summarize':
      return formatSummarize(operator.aggregates, operator.by)
    case 'sort':
      return `sort by ${operator.keys.map(formatKey).join(', ')}`
    case 'limit':
      return `limit ${formatExpression(operator.count)}`
    case 'top':
      return `top ${formatExpression(operator.count)} by ${formatKey(operator.key)}`
    case 'count':
      return 'count'
    case 'distinct':
      return `distinct ${commas(operator.keys)}`
    default:
      return operator satisfies never
  }
}

function formatSummarize(aggregates: readonly Assignment[], by: readonly Assignment[]): string {
  const groups = by.length === 0 ? [] : ['by', by.map(formatAssignment).join(', ')]
  return ['summarize', aggregates.map(formatAssignment).join(', '), ...groups]
    .filter((piece) => piece !== '')
    .join(' ')
}

function formatAssignment({ name, value }: Assignment): string {
  const written = formatExpression(value)
  return name === undefined ? written : `${formatName(name.name)} = ${written}`
}

function formatPattern({ pattern }: NamePattern): string {
  return pattern
    .split('*')
    .map((piece) => (piece === '' ? '' : formatName(piece)))
    .join('*')
}

function formatKey({ value, direction, nulls }: SortKey): string {
  const words = [formatExpression(value), direction, nulls && `nulls ${nulls}`]
  return words.filter((word) => word !== undefined).join(' ')
}

/** An expression as APL text, with the parentheses that it needs. */
export function formatExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return formatLiteral(expression)
    case 'name':
      return formatName(expression.name)
    case 'member':
      return `${within(expression.value, TIGHTEST)}[${quote(expression.member.name)}]`
    case 'index':
      return `${within(expression.value, TIGHTEST)}[${formatExpression(expression.index)}]`
    case 'call':
      return formatCall(expression)
    case 'unary':
      return formatUnary(expression.operator, expression.operand)
    case 'binary': {
      const { operator, left, right } = expression
      const own = precedenceOf(operator)
      // Comparisons do not chain, so a comparison within one has parentheses on either side.
      const least = own === PRECEDENCE.comparison ? own + 1 : own
      return `${within(left, least)} ${operator} ${within(right, own + 1)}`
    }
    case 'membership': {
      const { operator, value, list } = expression
      return `${within(value, PRECEDENCE.sum)} ${operator} (${commas(list)})`
    }
    case 'between': {
      const { negated, value, low, high } = expression
      const range = `(${formatExpression(low)} .. ${formatExpression(high)})`
      return `${within(value, PRECEDENCE.sum)} ${negated ? '!between' : 'between'} ${range}`
    }
    case 'star':
      return '*'
    default:
      return expression satisfies never
  }
}

function formatCall({ function: { name }, arguments: values, names }: Call): string {
  const written = values.map((value, i) => {
    const given = names?.get(i)
    return given
      ? `${formatName(given.name)} = ${formatExpression(value)}`
      : formatExpression(value)
  })
  return `${formatName(name)}(${written.join(', ')})`
}

const UNARY = PRECEDENCE.product + 1
const TIGHTEST = UNARY + 1

/** An expression where only one that binds as tightly as `least` can stand without parentheses. */
function within(expression: Expression, least: number): string {
  const text = formatExpression(expression)
  return tightness(expression) < least ? `(${text})` : text
}

function tightness(expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return precedenceOf(expression.operator)
    case 'membership':
    case 'between':
      return PRECEDENCE.comparison
    case 'unary':
      return UNARY
    case 'literal':
      // A minus sign of its own binds like any other.
      return isNegative(expression) ? UNARY : TIGHTEST
    default:
      return TIGHTEST
  }
}

function isNegative({ value }: Literal): boolean {
  return (
    (typeof value === 'bigint' || typeof value === 'number') && (value < 0 || Object.is(value, -0))
  )
}

function formatUnary(operator: '-' | '+' | 'not', operand: Expression): string {
  if (operator === 'not') return `not(${formatExpression(operand)})`
  // `-5` is a literal: a minus before digits would become part of them.
  const isNumber = operand.kind === 'literal' && typeof operand.value !== 'string'
  const text = within(operand, UNARY)
  return isNumber && !text.startsWith('(') ? `${operator}(${text})` : `${operator}${text}`
}

function formatLiteral({ type, value }: Literal): string {
  if (value === null) return type === 'dynamic' ? 'null' : `${type}(null)`
  switch (type) {
    case 'string':
      return quote(String(value))
    case 'datetime':
      return `datetime(${formatDatetime(BigInt(value))})`
    case 'timespan':
      return formatTimespan(BigInt(value))
    case 'dynamic':
      return `dynamic(${value})`
    case 'real':
      return formatReal(Number(value))
    case 'bool':
    case 'int':
      return String(value)
    default:
      return type satisfies never
  }
}

function formatReal(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

function formatName(name: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !KEPT.includes(name)
  return plain ? name : `[${quote(name)}]`
}

/** Words that would be read as something else than a name. */
const KEPT = [
  ...['and', 'or', 'not', 'by', 'true', 'false', 'null'],
  ...['bool', 'boolean', 'date', 'datetime', 'double', 'dynamic', 'int', 'long'],
  ...['real', 'string', 'time', 'timespan', 'NOT'],
]

function commas(expressions: readonly Expression[]): string {
  return expressions.map(formatExpression).join(', ')
}
