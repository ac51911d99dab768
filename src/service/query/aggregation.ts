import type { AggregateName } from '../../apl/aggregate/aggregates.js'
import type { Aggregate, CheckedExpression, CheckedQuery } from '../../apl/check/checked.js'
import { computedBy, nodes } from '../../sql/walk.js'
import type { TableField } from '../../wire/http/tabular-result.js'

type Aggregation = NonNullable<TableField['agg']>

/** The aggregations that the hosted service names differently in results. */
const OTHER_NAMES: Partial<Readonly<Record<AggregateName, string>>> = {
  dcount: 'distinct',
  dcountif: 'distinctif',
  percentile: 'percentiles',
  percentileif: 'percentilesif',
  percentiles_array: 'percentiles',
  percentiles_arrayif: 'percentilesif',
  // The Go client has no name for `phrases`; `computed` stands for any value that is computed from other values.
  phrases: 'computed',
}

/** Returns the aggregations of a query by the id of their column. */
export function aggregationsOf(query: CheckedQuery): ReadonlyMap<number, Aggregation> {
  const made = query.operators.flatMap(computedBy).map(({ column }) => column)
  const names = new Map([...query.source.columns, ...made].map(({ id, name }) => [id, name]))
  const computed = query.operators.flatMap((operator) =>
    operator.kind === 'summarize' ? operator.aggregates : [],
  )
  const counts = query.operators.flatMap((operator) =>
    operator.kind === 'reduce' ? [operator.columns.count.id] : [],
  )
  return new Map([
    ...counts.map((id) => [id, { name: hostedName('count'), fields: [], args: [] }] as const),
    ...computed.flatMap(({ column, value }) =>
      value.kind === 'aggregate' ? [[column.id, described(value, names)] as const] : [],
    ),
  ])
}

function described(aggregate: Aggregate, names: ReadonlyMap<number, string>): Aggregation {
  return {
    name: hostedName(aggregate.function),
    fields: aggregate.arguments.flatMap((argument) => fieldsIn(argument, names)),
    args: aggregate.arguments.flatMap(constantIn),
  }
}

/**
 * Returns the name of an aggregation in the results of the hosted service; these names are older than APL. The service's Go client
 * refuses a result with an unknown name.
 */
function hostedName(name: AggregateName): string {
  return OTHER_NAMES[name] ?? name.replaceAll('_', '')
}

function fieldsIn(
  expression: CheckedExpression,
  names: ReadonlyMap<number, string>,
): readonly string[] {
  return [...nodes(expression)].flatMap((node) =>
    node.kind === 'reference' ? (names.get(node.column) ?? []) : [],
  )
}

function constantIn(expression: CheckedExpression): readonly unknown[] {
  if (expression.kind !== 'constant') return []
  const { value } = expression
  return [typeof value === 'bigint' ? exactNumber(value) : value]
}

function exactNumber(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
