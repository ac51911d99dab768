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
  const regexes = context.attempt(() => regexesOf(redact, context))
  const columns = context.attempt(() => redactedColumns(redact, context, scope))
  if (regexes === undefined || columns === undefined) return context.refuse()
  const computed = columns.map((column) => {
    const value = context.limited(redact.span, () => redacted(column, regexes, redact))
    return context.computed(column.name, value)
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

function regexesOf({ regexes, onlyGroups }: Redact, context: Context): readonly GroupedRegex[] {
  const written = regexes.flatMap((literal) =>
    textsOf(literal).map((pattern) => ({ pattern, span: literal.span })),
  )
  const found = context.all(written, ({ pattern, span }) => {
    checkRegex(textConstant(pattern), span, context)
    if (!onlyGroups) return { regex: `(${pattern})`, hidden: [true] }
    const grouped = groupRegex(pattern)
    return typeof grouped === 'object' ? grouped : context.refuse(redactableGroups(span, grouped))
  })
  if (found.length > MAX_REGEXES) {
    context.refuse(tooManyRegexes(regexes.at(-1)!.span, MAX_REGEXES))
  }
  return found
}

/** Returns the regexes in a literal: a string, or an array or object of strings. */
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
  const found = context.all(on, (pattern) => {
    const columns = matching(pattern, context, scope)
    const [first] = columns
    if (first && !isText(first) && !pattern.pattern.includes('*')) {
      const operand = context.operand(pattern, first)
      context.refuse(wrongOperand(operand, 'redact', 'text'))
    }
    return columns.filter(isText)
  })
  return [...new Set(found.flat())]
}
