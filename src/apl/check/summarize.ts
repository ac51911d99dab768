import type { Assignment, Summarize } from '../ast.js'
import type { CheckedExpression, ComputedColumn } from '../checked.js'
import { noAggregate } from '../problems.js'
import type { AggregateRule, Checked, Context, Scope, Site } from './context.js'
import { checkExpression } from './expression.js'
import { aggregateName, keyName, nameAll, plainName, unnamed } from './names.js'

export function checkSummarize(summarize: Summarize, context: Context, scope: Scope): Checked {
  const keys = summarize.by.map((one) => unnamed(one, keyName(one.value)))
  const aggregates = summarize.aggregates.map((one) =>
    unnamed(one, aggregateName(one.value) ?? plainName(one.value)),
  )
  const names = nameAll([...keys, ...aggregates], { context, taken: () => false })
  const site = (rule: AggregateRule): Site => ({
    context,
    scope,
    operator: 'summarize',
    aggregates: rule,
    made: new Set(names),
  })
  const by = computedAs(summarize.by, names.slice(0, keys.length), site('key'))
  const values = computedAs(summarize.aggregates, names.slice(keys.length), site('group'))
  const columns = [...by, ...values].map((one) => one.column)
  return {
    operators: [{ kind: 'summarize', by, aggregates: values }],
    scope: scope.replaced(columns),
  }
}

function computedAs(
  assignments: readonly Assignment[],
  names: readonly string[],
  site: Site,
): readonly ComputedColumn[] {
  return assignments.flatMap((assignment, i) => {
    const name = names[i]!
    const value = checkExpression(assignment.value, site)
    if (value === undefined) {
      site.context.silence(name)
      return []
    }
    if (site.aggregates === 'group' && !holdsAggregate(value)) {
      site.context.report(noAggregate(assignment.value.span))
    }
    return [{ column: site.context.column(name, value.type), value }]
  })
}

function holdsAggregate(expression: CheckedExpression): boolean {
  switch (expression.kind) {
    case 'aggregate':
      return true
    case 'invocation':
      return expression.arguments.some(holdsAggregate)
    case 'path':
      return holdsAggregate(expression.value) || holdsAggregate(expression.key)
    case 'constant':
    case 'reference':
      return false
    default:
      return expression satisfies never
  }
}
