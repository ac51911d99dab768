import type {
  CheckedOperator,
  CheckedQuery,
  CheckedSort,
  CheckedSortKey,
  Column,
} from '../apl/checked.js'
import type { OrderEntry } from '../wire/query.js'
import { RefusedError } from './refused-error.js'

/**
 * Puts a query that states no order into that of its request: events before any limit takes some of
 * them, other rows at the end. Without one, events come newest first.
 */
export function inDefaultOrder(
  query: CheckedQuery,
  order: readonly OrderEntry[] | undefined,
): CheckedQuery {
  const { source, operators } = query
  if (order === undefined || isNewestFirst(order) || isOrdered(operators)) return query
  const cut = operators.findIndex((operator) => !keepsRows(operator))
  const at = operators[cut]?.kind === 'limit' ? cut : operators.length
  const isLast = cut !== -1 && at === operators.length
  const columns = isLast ? query.columns : columnsThere(source.columns, operators.slice(0, at))
  const known = new Map(columns.map((column) => [column.name, column]))
  // Many a client asks for the order of time always, of groups without a time too.
  const meant = known.has('_time') ? order : order.filter(({ field }) => field !== '_time')
  if (meant.length === 0) return query
  const sort = sortBy(meant, known)
  return { ...query, operators: [...operators.slice(0, at), sort, ...operators.slice(at)] }
}

/** The order that events come in when nobody says another. */
function isNewestFirst(order: readonly OrderEntry[]): boolean {
  return order.every(({ field, desc }) => field === '_time' && desc)
}

function isOrdered(operators: readonly CheckedOperator[]): boolean {
  return operators.some(({ kind }) => kind === 'sort')
}

function keepsRows({ kind }: CheckedOperator): boolean {
  return kind === 'where' || kind === 'extend' || kind === 'project'
}

/** The columns after these operators, those that are not shown any more before those that are. */
function columnsThere(
  columns: readonly Column[],
  operators: readonly CheckedOperator[],
): readonly Column[] {
  const changed = operators.map((operator) =>
    operator.kind === 'extend' || operator.kind === 'project' ? operator.columns : [],
  )
  return [columns, ...changed].flat()
}

function sortBy(order: readonly OrderEntry[], known: ReadonlyMap<string, Column>): CheckedSort {
  const keys = order.map(({ field, desc }): CheckedSortKey => {
    const column = known.get(field)
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
  return new RefusedError(
    'invalid-request',
    `\`defaultOrder\` names \`${field}\`, which is no column of this query's rows.`,
  )
}
