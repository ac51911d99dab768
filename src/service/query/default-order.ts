import type {
  CheckedOperator,
  CheckedQuery,
  CheckedSort,
  CheckedSortKey,
  CheckedSource,
  Column,
} from '../../apl/check/checked.js'
import type { OrderEntry } from '../../wire/http/query.js'
import { invalidRequest, type RefusedError } from '../refused-error.js'

/**
 * Applies the order of a request to a query without an order of its own: to events before the first limit, to other rows at the
 * end. When neither has an order, events are newest first.
 */
export function inDefaultOrder(
  query: CheckedQuery,
  order: readonly OrderEntry[] | undefined,
): CheckedQuery {
  const { source, operators } = query
  const isOrdered = operators.some(({ kind }) => kind === 'sort')
  if (order === undefined || isNewestFirst(order) || isOrdered) return query
  const cut = operators.findIndex((operator) => !keepsRows(operator))
  const at = operators[cut]?.kind === 'limit' ? cut : operators.length
  const isLast = cut !== -1 && at === operators.length
  const columns = new Map(query.columns.map((column) => [column.name, column]))
  const known = isLast
    ? (name: string) => columns.get(name)
    : (name: string) => columnThere(name, source, operators.slice(0, at))
  // Many clients always request an order by `_time`, even for groups without a time.
  const meant =
    known('_time') !== undefined ? order : order.filter(({ field }) => field !== '_time')
  if (meant.length === 0) return query
  const sort = sortBy(meant, known)
  return { ...query, operators: [...operators.slice(0, at), sort, ...operators.slice(at)] }
}

/** The default order of events. */
function isNewestFirst(order: readonly OrderEntry[]): boolean {
  return order.every(({ field, desc }) => field === '_time' && desc)
}

function keepsRows({ kind }: CheckedOperator): boolean {
  return kind === 'where' || kind === 'extend' || kind === 'project'
}

/** Returns the column with a name after the operators, or the last one with this name before it was removed. */
function columnThere(
  name: string,
  source: CheckedSource,
  operators: readonly CheckedOperator[],
): Column | undefined {
  for (const operator of operators.toReversed()) {
    const found = columnOf(operator, name)
    if (found !== undefined) return found
  }
  return 'all' in source ? source.all.find(name) : source.columns.find((one) => one.name === name)
}

function columnOf(operator: CheckedOperator, name: string): Column | undefined {
  if (operator.kind === 'project') return operator.columns.find(name)
  if (operator.kind !== 'extend') return undefined
  return operator.computed.findLast(({ column }) => column.name === name)?.column
}

function sortBy(
  order: readonly OrderEntry[],
  known: (name: string) => Column | undefined,
): CheckedSort {
  const keys = order.map(({ field, desc }): CheckedSortKey => {
    const column = known(field)
    if (column === undefined) throw unknownField(field)
    return {
      value: { kind: 'reference', type: column.type, column: column.id },
      direction: desc ? 'desc' : 'asc',
      nulls: desc ? 'last' : 'first',
    }
  })
  return { kind: 'sort', keys }
}

function unknownField(field: string): RefusedError {
  return invalidRequest(
    `\`defaultOrder\` names \`${field}\`, which is not a column of this query's result.`,
  )
}
