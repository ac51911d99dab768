import { hostedName } from '../../apl/aggregate/hosted-name.js'
import type { Aggregate, CheckedExpression, CheckedQuery, Column } from '../../apl/check/checked.js'
import { nodes } from '../../sql/walk.js'
import type { TableField } from '../../wire/http/tabular-result.js'

type Aggregation = NonNullable<TableField['agg']>

/** Returns the aggregations of a query by the id of their column. */
export function aggregationsOf(query: CheckedQuery): ReadonlyMap<number, Aggregation> {
  const names = new Map(columnsOf(query).map(({ id, name }) => [id, name]))
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

function columnsOf({ source, operators }: CheckedQuery): readonly Column[] {
  const made = operators.flatMap((operator) => {
    switch (operator.kind) {
      case 'extend':
      case 'distinct':
        return operator.computed
      case 'summarize':
        return [...operator.by, ...operator.aggregates]
      case 'mv-expand':
        return operator.items
      case 'make-series':
        return [...operator.by, ...operator.series]
      case 'reduce':
      case 'patterns':
      case 'getschema':
      case 'where':
      case 'project':
      case 'sort':
      case 'limit':
        return []
      default:
        return operator satisfies never
    }
  })
  return [...source.columns, ...made.map(({ column }) => column)]
}
