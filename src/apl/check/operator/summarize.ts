import { noAggregate, timespanAsKey } from '../../problem/group.js'
import type { Assignment, Summarize } from '../../syntax/ast.js'
import { type CheckedExpression, type ComputedColumn, partsOf } from '../checked.js'
import type { CheckedStep, Site } from '../context.js'
import {
  checkRowAggregate,
  rowAggregate,
  rowColumns,
  showsAllFields,
} from '../expression/row-aggregate.js'
import {
  aggregateName,
  assignNames,
  keyName,
  type NameRequest,
  newNames,
  plainName,
} from '../names.js'
import { checkExpression } from '../recursion.js'
import { checkColumn } from './extend.js'

/** Checks `summarize`: the result has the keys, then the aggregations. */
export function checkSummarize(summarize: Summarize, site: Site): CheckedStep {
  const { context, scope } = site
  const keys = summarize.by.map(({ name, value }) => ({ name, usual: keyName(value) }))
  const taken = keys.flatMap(({ name, usual }) => name?.name ?? usual ?? [])
  const items = summarize.aggregates.map((one) =>
    itemOf(one, { fields: () => scope.names(), taken }),
  )
  const columns = items.flatMap((item) => item.columns)
  const names = assignNames([...keys, ...columns], context)
  const within = { ...site, newNames: newNames(names, [...keys, ...columns]) }
  const group: Site = { ...within, aggregates: 'group' }
  const by = checkKeys(summarize.by, names, { ...within, aggregates: 'key' })
  let next = keys.length
  const aggregates = items.flatMap((item) => {
    const own = names.slice(next, next + item.columns.length)
    next += item.columns.length
    const values = context.attempt(() => item.check(group))
    if (values !== undefined) return computedColumns(own, values, group)
    for (const name of own) context.suppress(name)
    return []
  })
  const after = scope.replaced([...by, ...aggregates].map((one) => one.column))
  const isOpen = scope.open && summarize.aggregates.some(showsAllFields)
  return {
    operators: [{ kind: 'summarize', by, aggregates }],
    scope: isOpen ? after.opened() : after,
  }
}

/** An aggregation and its columns: one, except for `arg_max` and `arg_min`. */
interface Item {
  readonly columns: readonly NameRequest[]
  /** Returns the value of each column. */
  check(site: Site): readonly CheckedExpression[]
}

function itemOf(assignment: Assignment, known: Parameters<typeof rowColumns>[1]): Item {
  const aggregate = rowAggregate(assignment)
  if (aggregate === undefined) {
    const { name, value } = assignment
    const usual = aggregateName(value) ?? plainName(value)
    const check = (site: Site) => checkAggregate(assignment, site)
    return { columns: [{ name, usual, isNew: true }], check }
  }
  const columns = rowColumns(aggregate, known)
  return { columns, check: (site) => checkRowAggregate(aggregate, columns, site) }
}

/** Returns the value of an aggregation, as a list of one. */
export function checkAggregate({ value }: Assignment, site: Site): readonly CheckedExpression[] {
  const checked = checkExpression(value, site)
  if (!holdsAggregate(checked)) site.context.report(noAggregate(value.span))
  return [checked]
}

/** Returns the columns of the keys, which take the first names. */
export function checkKeys(
  by: readonly Assignment[],
  names: readonly string[],
  site: Site,
): readonly ComputedColumn[] {
  return by.flatMap(({ value }, i) => {
    if (value.kind === 'literal' && value.type === 'timespan') {
      site.context.report(timespanAsKey(value.span))
    }
    return checkColumn(names[i]!, value, site) ?? []
  })
}

export function computedColumns(
  names: readonly string[],
  values: readonly CheckedExpression[],
  { context }: Site,
): readonly ComputedColumn[] {
  return values.map((value, i) => context.computed(names[i]!, value))
}

function holdsAggregate(expression: CheckedExpression): boolean {
  return expression.kind === 'aggregate' || partsOf(expression).some(holdsAggregate)
}
