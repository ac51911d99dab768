import { ownValue } from '../../../text/own-value.js'
import type { Problem } from '../../../text/problem.js'
import { closest } from '../../../text/suggest.js'
import { AGGREGATES, type AggregateName, isAggregateName } from '../../aggregate/aggregates.js'
import {
  FUNCTION_ALIASES,
  FUNCTIONS,
  type FunctionName,
  isFunctionName,
} from '../../function/functions.js'
import * as groupProblem from '../../problem/group.js'
import { FUNCTION_HABITS, UNSUPPORTED_FUNCTIONS } from '../../problem/habits.js'
import * as languageProblem from '../../problem/language.js'
import * as nameProblem from '../../problem/name.js'
import type { Call, Identifier } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { plainName } from '../names.js'
import { checkExpressions } from '../recursion.js'
import type { Scope } from '../scope.js'
import { checkArguments, resultType } from './arguments.js'
import { CALL_FORMS } from './call-form.js'
import { invoke, textConstant } from './invoke.js'
import { isRowAggregate } from './row-aggregate.js'

/** Checks a call of a function or aggregation, by any of its names. Unknown names are reported. */
export function checkCall(call: Call, site: Site): CheckedExpression {
  const { name } = call.function
  if (isAggregateName(name)) return checkAggregate(call, name, site)
  const known = functionNamed(name)
  if (known !== undefined) return checkFunction(call, known, site)
  if (site.context.bindings.get(name)?.kind !== 'broken') {
    site.context.report(unknownCall(call, site))
  }
  // Problems in the arguments are independent of the unknown name.
  const inside = site.aggregates === 'group' ? { ...site, aggregates: 'within' as const } : site
  const others = call.arguments.filter(({ kind }) => kind !== 'star')
  checkExpressions(others, inside)
  return site.context.refuse()
}

function functionNamed(name: string): FunctionName | undefined {
  return isFunctionName(name) ? name : ownValue(FUNCTION_ALIASES, name)
}

function checkFunction(call: Call, name: FunctionName, site: Site): CheckedExpression {
  const form = CALL_FORMS[name]
  if (form !== undefined) return form(call, site)
  const values = checkArguments(call, name, site)
  return invoke(name, resultType(FUNCTIONS[name], values), values)
}

function checkAggregate(call: Call, name: AggregateName, site: Site): CheckedExpression {
  const problem = misplacedAggregate(call.function, site)
  if (problem !== undefined) site.context.refuse(problem)
  const inside: Site = { ...site, aggregates: 'within' }
  const whole = name === 'spotlight' ? expandSpotlightStar(call, site.scope) : call
  const found = checkArguments(whole, name, inside)
  const values = name === 'spotlight' ? withFieldNames(whole, found, site) : found
  const type = resultType(AGGREGATES[name], values)
  return { kind: 'aggregate', type, function: name, arguments: values }
}

function unknownCall(call: Call, site: Site) {
  const { name: what, span } = call.function
  if (Object.hasOwn(UNSUPPORTED_FUNCTIONS, what)) {
    return languageProblem.notSupported(span, what, UNSUPPORTED_FUNCTIONS[what])
  }
  const help = ownValue(FUNCTION_HABITS, what.toLowerCase())
  const functions = [...Object.keys(FUNCTIONS), ...Object.keys(FUNCTION_ALIASES)]
  const known = [...functions, ...Object.keys(AGGREGATES)]
  const lower = what.toLowerCase()
  if (lower !== what && known.includes(lower)) return languageProblem.wrongCase(span, what)
  if (help !== undefined) return languageProblem.otherLanguage(call.function, help)
  const grouping = site.aggregates === 'group'
  if (grouping)
    return nameProblem.unknownAggregate(call.function, {
      aggregates: Object.keys(AGGREGATES).sort(),
      functions,
    })
  const near = closest(what, functions) === undefined ? known : functions
  return nameProblem.unknownFunction(call.function, near)
}

/** Returns the problem with an aggregation that is not a value of a group here. */
function misplacedAggregate(name: Identifier, { aggregates, operator }: Site): Problem | undefined {
  if (aggregates === 'none') return groupProblem.aggregateOutside(name, operator)
  if (aggregates === 'key') return groupProblem.aggregateAsKey(name)
  if (aggregates === 'within') return groupProblem.nestedAggregate(name)
  return isRowAggregate(name.name) ? groupProblem.severalColumns(name) : undefined
}

/** Replaces `*` in the arguments of `spotlight` by all fields that are not datetimes, and by one more if some are unknown. */
function expandSpotlightStar(call: Call, scope: Scope): Call {
  const known = scope.columns.filter(({ type }) => type !== 'datetime')
  const fields = scope.open ? [...known, { name: '*' }] : known
  const values = call.arguments.flatMap((argument, i) => {
    if (argument.kind !== 'star' || i === 0) return [argument]
    return fields.map(({ name }) => ({ kind: 'name', name, span: argument.span }) as const)
  })
  return { ...call, arguments: values }
}

/** Inserts the name of each field in front of it, for the output of `spotlight`. */
function withFieldNames(
  call: Call,
  values: readonly CheckedExpression[],
  { context }: Site,
): readonly CheckedExpression[] {
  return values.flatMap((value, i) => {
    const written = call.arguments[i]
    if (i === 0 || written === undefined) return [value]
    const name = plainName(written) ?? context.excerpt(written.span).text
    return [textConstant(name), value]
  })
}
