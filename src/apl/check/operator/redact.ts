import { wrongOperand } from '../../problem/operand.js'
import { redactableGroups, tooManyRegexes } from '../../problem/operator.js'
import type { Literal, Redact } from '../../syntax/ast.js'
import type { CheckedExpression, Column } from '../checked.js'
import type { CheckedStep, Context, Site } from '../context.js'
import { constantOf } from '../expression/constant.js'
import { invoke, reference, textConstant } from '../expression/invoke.js'
import { checkRegex, type GroupedRegex, groupRegex } from '../expression/regex.js'
import type { Scope } from '../scope.js'
import { extendedBy } from './extend.js'
import { matching } from './name-pattern.js'

/** The maximum number of regexes: their replacements are nested calls, for each column. */
const MAX_REGEXES = 100

/** Checks `redact`: replaces the matches of the regexes in string columns. */
export function checkRedact(redact: Redact, { context, scope }: Site): CheckedStep {
  const problems = context.problems.length
  const regexes = redact.regexes.flatMap((one) => readRegexes(one, redact, context))
  if (regexes.length > MAX_REGEXES) {
    context.report(tooManyRegexes(redact.regexes.at(-1)!.span, MAX_REGEXES))
  }
  const columns = redactedColumns(redact, context, scope)
  if (context.problems.length > problems) return { operators: [], scope }
  const computed = columns.flatMap((column) => {
    const value = context.limited(redact.span, () => redacted(column, regexes, redact))
    return value === undefined ? [] : [{ column: context.column(column.name, column.type), value }]
  })
  return extendedBy(computed, scope)
}

function redacted(
  column: Column,
  regexes: readonly GroupedRegex[],
  { cover }: Redact,
): CheckedExpression {
  const token = textConstant(cover.kind === 'token' ? cover.token : '')
  const hashes = constantOf('bool', cover.kind === 'hash')
  return regexes.reduce<CheckedExpression>(
    (text, { regex, hidden }) =>
      invoke('redacted', column.type, [
        text,
        textConstant(regex),
        textConstant(hidden.map((isHidden) => (isHidden ? 'x' : '-')).join('')),
        token,
        hashes,
      ]),
    reference(column),
  )
}

/** Returns the regexes in a literal: a string, or an array or object of strings. */
function readRegexes(literal: Literal, redact: Redact, context: Context): readonly GroupedRegex[] {
  return textsOf(literal).flatMap((pattern) => {
    const { span } = literal
    const constant = textConstant(pattern)
    if (!checkRegex(constant, span, context)) return []
    if (!redact.onlyGroups) return [{ regex: `(${pattern})`, hidden: [true] }]
    const grouped = groupRegex(pattern)
    if (typeof grouped === 'object') return [grouped]
    context.report(redactableGroups(span, grouped))
    return []
  })
}

function textsOf({ type, value }: Literal): readonly string[] {
  if (type === 'string') return [String(value)]
  const parsed: unknown = JSON.parse(String(value))
  const values = typeof parsed === 'object' && parsed !== null ? Object.values(parsed) : [parsed]
  return values.filter((one) => typeof one === 'string')
}

/** Returns the columns to redact: strings, and dynamic columns, which may contain strings. */
function redactedColumns({ on }: Redact, context: Context, scope: Scope): readonly Column[] {
  const isText = ({ type }: Column) => type === 'string' || type === 'dynamic'
  if (on.length === 0) return scope.columns.filter(isText)
  const found = on.flatMap((pattern) => {
    const columns = matching(pattern, context, scope)
    const [first] = columns
    if (first && !isText(first) && !pattern.pattern.includes('*')) {
      const operand = context.operand(pattern, first)
      context.report(wrongOperand(operand, 'redact', 'text'))
    }
    return columns.filter(isText)
  })
  return [...new Set(found)]
}
