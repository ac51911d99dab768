import type {
  CheckedExpression,
  CheckedOperator,
  CheckedPipeline,
  ComputedColumn,
} from '../apl/check/checked.js'
import type { TimeRange } from './compile.js'
import type { EventOrder, PageStart, UnionCut } from './cursor.js'
import type { Scope } from './expression.js'
import type { LastUse } from './last-use.js'
import type { Layout } from './layout.js'
import { type Cell, closed, type Need, type Rows } from './rows.js'
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

/** What is the same everywhere in a query. */
export interface Whole {
  readonly uses: LastUse
  /** The instant of the query. */
  readonly now: bigint
  /** The time that the datasets are read for. */
  readonly range: TimeRange
  /** Where the page of events begins, of the query itself and not of those within it. */
  readonly page?: PageStart & { readonly order: EventOrder }
  /** How much of each part of a union is needed, of the query itself too. */
  readonly cut?: UnionCut
  layout(dataset: string): Layout
  /** The rows of a query within the query, each column a stored one. */
  rowsOf(pipeline: CheckedPipeline): Rows
}

/** Where in the query an operator stands. */
export interface Place extends Need, Whole {}

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

/** What the columns of these rows stand for in an expression. */
export function scopeOf(rows: Rows, { now, rowsOf }: Pick<Whole, 'now' | 'rowsOf'>): Scope {
  return {
    now,
    rowsOf,
    column(id) {
      const cell = rows.columns.get(id)
      if (!cell) throw new Error(`there is no column ${id} at this point of the pipeline`)
      return cell.value
    },
  }
}
