import type {
  CheckedExpression,
  CheckedOperator,
  CheckedWhere,
  ComputedColumn,
} from '../apl/check/checked.js'
import type { OperatorContext } from './compile-context.js'
import { expression, filter } from './expression.js'
import { isRandom } from './function/number.js'
import { usedAggregates } from './last-use.js'
import { type Cell, type Rows, storedValue, subquery } from './rows.js'
import { type Scope, scopeOf } from './scope.js'
import type { Sql } from './sql.js'
import { withGroup } from './stage/group.js'
import { limit } from './stage/limit.js'
import { getschema } from './stage/literal-rows.js'
import { makeSeries } from './stage/make-series.js'
import { mvExpand } from './stage/mv-expand.js'
import { bytesFirst, bytesOf, conjuncts } from './stage/prefilter.js'
import { reduce, withPatterns } from './stage/reduce.js'
import { anyPart } from './stage/search-parts.js'
import { sort } from './stage/sort.js'
import { distinct, summarize } from './stage/summarize.js'
import { convert } from './type/convert.js'
import { references, valuesOf } from './walk.js'

export function applyOperator(
  operator: CheckedOperator,
  rows: Rows,
  context: OperatorContext,
): Rows {
  switch (operator.kind) {
    case 'extend': {
      const needed = operator.computed.filter(({ column }) => context.uses.has(column.id))
      return extended(needed, rows, context)
    }
    case 'project':
      return rows
    case 'getschema':
      return getschema(operator, rows)
    case 'limit':
      return limit(operator.count, rows, context)
    default:
      return applyToOpen(operator, opened(rows, valuesOf(operator), context), context)
  }
}

type OfOpenRows = Exclude<
  CheckedOperator,
  { readonly kind: 'extend' | 'project' | 'getschema' | 'limit' }
>

/** Applies an operator to rows to which a filter, an order or a grouping can be added. */
function applyToOpen(operator: OfOpenRows, rows: Rows, context: OperatorContext): Rows {
  const scope = scopeOf(rows, context)
  switch (operator.kind) {
    case 'where':
      return where(operator, rows, { ...context, scope })
    case 'summarize': {
      const used = { ...operator, aggregates: usedAggregates(operator, context.uses) }
      const { rows: ready, group } = withGroup(used, rows, context)
      return summarize(used, ready, { ...scopeOf(ready, context), group })
    }
    case 'distinct':
      return distinct(operator, rows, scope)
    case 'sort':
      return sort(operator, rows, scope)
    case 'mv-expand':
      return mvExpand(operator, rows, context)
    case 'reduce':
      return reduce(operator, rows, scope)
    case 'patterns':
      return withPatterns(operator, rows, context)
    case 'make-series': {
      const groups = { by: operator.by, aggregates: operator.series }
      const { rows: ready, group } = withGroup(groups, rows, context)
      return makeSeries(operator, ready, { ...scopeOf(ready, context), group })
    }
    default:
      return operator satisfies never
  }
}

function extended(computed: readonly ComputedColumn[], rows: Rows, context: OperatorContext): Rows {
  let all = rows
  /** The columns of `all` once they are owned by this function: copying them per column is quadratic. */
  let own: Map<number, Cell> | undefined
  for (const one of computed) {
    const isRepeated = isDeep(all) && canRepeat(one.value, all)
    const open = isRepeated ? all : withColumns(all, [one.value], context)
    const columns = own !== undefined && open === all ? own : new Map(open.columns)
    const scope = scopeOf(open, context)
    own = columns.set(one.column.id, extend(one, open, isRepeated ? repeating(open, scope) : scope))
    all = { ...open, columns }
  }
  return all
}

/** The number of levels from which columns are repeated: the time for planning grows with the square of the levels. */
const DEEP = 16

function isDeep({ levels = 0 }: Rows): boolean {
  return levels >= DEEP
}

/** True when the SQL of the computed columns that an expression uses is short and has the same value wherever it is repeated. */
function canRepeat(value: CheckedExpression, { columns }: Rows): boolean {
  return [...references(value)].every((id) => {
    const cell = columns.get(id)
    if (cell === undefined || !isComputedOnce(cell)) return true
    const { sql } = cell.value
    return !isLong(sql) && !isRandom(sql)
  })
}

/** Returns the scope in which computed columns are what stored columns would be, but not stored. */
function repeating({ columns }: Rows, scope: Scope): Scope {
  return {
    ...scope,
    column(id) {
      const cell = columns.get(id)
      if (cell === undefined || !isComputedOnce(cell)) return scope.column(id)
      const { type, nullable } = cell.value
      return { sql: storedValue(cell), type, nullable }
    },
  }
}

/** Returns rows to which a filter, an order or a grouping can be added: a pending limit is applied first. */
function opened(rows: Rows, values: readonly CheckedExpression[], context: OperatorContext): Rows {
  return withColumns(rows.limit === undefined ? rows : subquery(rows, context), values, context)
}

/** The maximum length of the SQL of a column that is repeated, such as a string so that its JSON text is not computed. */
const MAX_REPEATED = 500

function isLong({ text }: Sql): boolean {
  return text.length > MAX_REPEATED
}

/** True for a computed column whose SQL is not repeated. */
function isComputedOnce(cell: Cell | undefined): boolean {
  if (cell?.kind !== 'computed') return false
  const { sql, text, strings, texts, parsed } = cell.value
  // Reading one part twice takes less time than writing and reading the JSON text of all parts.
  if (texts !== undefined)
    return Object.values(texts).some(({ text }) => text.length > 2 * MAX_REPEATED)
  const isRepeated = text !== undefined || strings !== undefined || parsed?.isColumn === true
  return !isRepeated || isLong(sql)
}

/** Wraps rows in a subquery when the expressions use computed columns, whose SQL would otherwise be repeated. */
function withColumns(
  rows: Rows,
  values: readonly CheckedExpression[],
  context: OperatorContext,
): Rows {
  const isOpen = values.some((value) =>
    [...references(value)].some((id) => isComputedOnce(rows.columns.get(id))),
  )
  return isOpen ? subquery(rows, context) : rows
}

/** `where`: adds a filter for each of the conditions that must all be true. */
function where(
  operator: CheckedWhere,
  rows: Rows,
  { scope, searches }: Pick<OperatorContext, 'searches'> & { readonly scope: Scope },
): Rows {
  const test = (one: CheckedExpression): Sql =>
    bytesFirst(bytesOf(one, rows.columns), filter(one, scope))
  const added = conjuncts(operator).map((one) => {
    const parts = searches.get(one)
    return (parts && anyPart(parts, test)) ?? test(one)
  })
  return { ...rows, filters: [...rows.filters, ...added] }
}

/** `extend`: the cell of one computed column. */
function extend({ column, value }: ComputedColumn, rows: Rows, scope: Scope): Cell {
  // A renamed column is the column itself.
  const same = value.kind === 'reference' ? rows.columns.get(value.column) : undefined
  return same ?? { kind: 'computed', value: convert(expression(value, scope), column.type) }
}
