import { noAggregate } from '../../problem/group.js'
import type { Assignment, Summarize } from '../../syntax/ast.js'
import type { CheckedExpression, ComputedColumn } from '../checked.js'
import type { Checked, Context, Site } from '../context.js'
import {
  checkRowAggregate,
  type RowAggregate,
  rowAggregate,
  rowColumns,
} from '../expression/row-aggregate.js'
import {
  aggregateName,
  keyName,
  madeNames,
  nameAll,
  plainName,
  type Unnamed,
  unnamed,
} from '../names.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** `summarize`: the keys are the first columns afterwards, the aggregates the others. */
export function checkSummarize(summarize: Summarize, context: Context, scope: Scope): Checked {
  const keys = summarize.by.map((one) => unnamed(one, keyName(one.value)))
  const taken = keys.flatMap(({ name, usual }) => name?.name ?? usual ?? [])
  const items = summarize.aggregates.map((one) =>
    itemOf(one, { fields: () => scope.names(), taken }),
  )
  const columns = items.flatMap((item): readonly Unnamed[] => item.columns)
  const names = nameAll([...keys, ...columns], { context, taken: () => false })
  const site = {
    context,
    scope,
    operator: 'summarize',
    made: made(summarize, items, names),
  }
  const group: Site = { ...site, aggregates: 'group' }
  const by = checkKeys(summarize.by, names, { ...site, aggregates: 'key' })
  let next = keys.length
  const aggregates = items.flatMap((item) => {
    const own = names.slice(next, next + item.columns.length)
    next += item.columns.length
    return checkItem(item, own, group)
  })
  const all = [...by, ...aggregates].map((one) => one.column)
  return {
    operators: [{ kind: 'summarize', by, aggregates }],
    scope: scope.replaced(all),
  }
}

function made(
  { by }: Summarize,
  items: readonly Item[],
  names: readonly string[],
): ReadonlySet<string> {
  const fields = items.flatMap((item) =>
    item.kind === 'row'
      ? item.columns.map(({ name, usual }) => (name === undefined ? usual : undefined))
      : [undefined],
  )
  return madeNames(names, [...by.map(({ value }) => keyName(value)), ...fields])
}

/** One aggregate as written, and the columns that it gives: one, except of `arg_max` and `arg_min`. */
type Item = SingleItem | RowItem

interface SingleItem {
  readonly kind: 'single'
  readonly assignment: Assignment
  readonly columns: readonly [Unnamed]
}

interface RowItem {
  readonly kind: 'row'
  readonly aggregate: RowAggregate
  readonly columns: ReturnType<typeof rowColumns>
}

function itemOf(assignment: Assignment, known: Parameters<typeof rowColumns>[1]): Item {
  const aggregate = rowAggregate(assignment)
  if (aggregate !== undefined) {
    return { kind: 'row', aggregate, columns: rowColumns(aggregate, known) }
  }
  const usual = aggregateName(assignment.value) ?? plainName(assignment.value)
  return { kind: 'single', assignment, columns: [unnamed(assignment, usual)] }
}

function checkItem(item: Item, names: readonly string[], site: Site): readonly ComputedColumn[] {
  const values =
    item.kind === 'row'
      ? checkRowAggregate(item.aggregate, item.columns, site)
      : checkSingle(item.assignment, site)
  if (values !== undefined) return computedAs(names, values, site)
  for (const name of names) site.context.silence(name)
  return []
}

/** The value of an aggregate; in a list, since others give several. */
export function checkSingle(
  { value }: Assignment,
  site: Site,
): readonly CheckedExpression[] | undefined {
  const checked = checkExpression(value, site)
  if (checked === undefined) return undefined
  if (!holdsAggregate(checked)) site.context.report(noAggregate(value.span))
  return [checked]
}

/** The columns that rows are grouped by, under the first of the names. */
export function checkKeys(
  by: readonly Assignment[],
  names: readonly string[],
  site: Site,
): readonly ComputedColumn[] {
  return by.flatMap(({ value }, i) => {
    const checked = checkExpression(value, site)
    if (checked !== undefined) return computedAs([names[i]!], [checked], site)
    site.context.silence(names[i]!)
    return []
  })
}

/** A column for each value. */
export function computedAs(
  names: readonly string[],
  values: readonly CheckedExpression[],
  { context }: Site,
): readonly ComputedColumn[] {
  return values.map((value, i) => ({ column: context.column(names[i]!, value.type), value }))
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
    case 'subquery':
      return false
    default:
      return expression satisfies never
  }
}
