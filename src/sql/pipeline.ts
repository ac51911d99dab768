import type { CheckedExpression, CheckedOperator, ComputedColumn } from '../apl/check/checked.js'
import type { Place } from './compile-context.js'
import { type Cell, closed, type Rows } from './rows.js'
import { scopeOf } from './scope.js'
import { extend } from './stage/extend.js'
import { getschema } from './stage/getschema.js'
import { readyToGroup } from './stage/group.js'
import { limit } from './stage/limit.js'
import { makeSeries } from './stage/make-series.js'
import { mvExpand } from './stage/mv-expand.js'
import { sort } from './stage/sort.js'
import { distinct, summarize } from './stage/summarize.js'
import { where } from './stage/where.js'
import { references, valuesOf } from './walk.js'

/** The rows after one more operator. */
export function after(operator: CheckedOperator, rows: Rows, place: Place): Rows {
  switch (operator.kind) {
    case 'where': {
      const open = opened(rows, valuesOf(operator), place)
      return where(operator, open, scopeOf(open, place))
    }
    case 'extend': {
      const needed = operator.computed.filter(({ column }) => place.uses.has(column.id))
      return extended(needed, rows, place)
    }
    case 'project':
      return rows
    case 'summarize': {
      const open = opened(rows, valuesOf(operator), place)
      const { rows: ready, group } = readyToGroup(operator, open, place)
      return summarize(operator, ready, { ...scopeOf(ready, place), group })
    }
    case 'distinct': {
      const open = opened(rows, valuesOf(operator), place)
      return distinct(operator, open, scopeOf(open, place))
    }
    case 'sort': {
      const open = opened(rows, valuesOf(operator), place)
      return sort(operator, open, scopeOf(open, place))
    }
    case 'getschema':
      return getschema(operator, rows)
    case 'mv-expand': {
      const open = opened(rows, valuesOf(operator), place)
      return mvExpand(operator, open, { scope: scopeOf(open, place), need: place })
    }
    case 'make-series': {
      const open = opened(rows, valuesOf(operator), place)
      const { rows: ready, group } = readyToGroup(
        { by: operator.by, aggregates: operator.series },
        open,
        place,
      )
      return makeSeries(operator, ready, { ...scopeOf(ready, place), group })
    }
    case 'limit':
      return limit(operator.count, rows, place)
    default:
      return operator satisfies never
  }
}

function extended(computed: readonly ComputedColumn[], rows: Rows, place: Place): Rows {
  let all = rows
  /** The columns of `all`, once they are nobody else's: a copy for each of thousands would take minutes. */
  let own: Map<number, Cell> | undefined
  for (const one of computed) {
    const open = withColumns(all, [one.value], place)
    const columns = own !== undefined && open === all ? own : new Map(open.columns)
    own = columns.set(one.column.id, extend(one, open, scopeOf(open, place)))
    all = { ...open, columns }
  }
  return all
}

/** Rows that a filter, an order or a grouping can be put on: a limit before it has been taken. */
function opened(rows: Rows, values: readonly CheckedExpression[], place: Place): Rows {
  return withColumns(rows.limit === undefined ? rows : closed(rows, place), values, place)
}

/** Rows in which an expression is made of columns, and not of expressions that would grow in it. */
function withColumns(rows: Rows, values: readonly CheckedExpression[], place: Place): Rows {
  const isOpen = values.some((value) =>
    [...references(value)].some((id) => rows.columns.get(id)?.kind === 'computed'),
  )
  return isOpen ? closed(rows, place) : rows
}
