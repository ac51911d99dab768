import type {
  CheckedOperator,
  CheckedPipeline,
  CheckedQuery,
  CheckedSource,
} from '../apl/check/checked.js'
import type { TimeRange } from '../apl/environment.js'
import type { NativeReals } from '../wire/http/native-result.js'
import type { CompileContext, OperatorContext } from './compile-context.js'
import type { CompiledQuery } from './compiled-query.js'
import {
  type EventOrder,
  eventOrder,
  limitPushdown,
  opposite,
  type PageStart,
  pushedDown,
  reversed,
} from './cursor.js'
import { datasetsOf } from './datasets.js'
import { describeColumns, describeTable } from './describe.js'
import { type LastUse, lastUse, usedAggregates } from './last-use.js'
import type { Layout } from './layout.js'
import { isUnfiltered, keepsEvents, matchedCount } from './matched.js'
import { countQuery, page } from './page.js'
import { applyOperator } from './pipeline.js'
import { refuseDeep } from './planning.js'
import { type Cell, type ColumnUse, type Rows, subquery } from './rows.js'
import { scopeOf } from './scope.js'
import { joined, type Sql, sql } from './sql.js'
import { dividedSearches, hasSearch, readsAllEvents } from './stage/divided-search.js'
import { readOnce } from './stage/event-text.js'
import { join } from './stage/join.js'
import { literalRows } from './stage/literal-rows.js'
import { leadingPredicates, prefilters } from './stage/prefilter.js'
import type { SearchParts } from './stage/search-parts.js'
import { usedLate } from './stage/shared-row.js'
import { source as dataset, storedLine } from './stage/source.js'
import { tokenFilters, tokenSource } from './stage/token-filter.js'
import { union } from './stage/union.js'
import { references, valuesOf } from './walk.js'

/** Options that the checked query itself does not contain: the layouts of its datasets, time range, limit and cursors. */
export interface CompileOptions {
  /** Returns the layout of a dataset. Called only for datasets that the query names. */
  layout(dataset: string): Layout
  readonly range: TimeRange
  /** True when all events of the datasets are within the range: their times are not compared with it. */
  readonly isWithinRange?: boolean
  /** True to find out first which columns may have the terms of the searches. Each index takes about 2 ms. */
  readonly dividesSearches?: boolean
  /** The maximum number of rows in the result; by default all. */
  readonly limit?: bigint
  /**
   * Requests cursor columns for rows that are events, and optionally starts the page at a cursor. A backward page has the events
   * in the opposite order.
   */
  readonly cursors?: { readonly from?: PageStart; readonly isBackward?: boolean }
  /**
   * For rows of one dataset that have cursors: selects the columns for the format Native, after the cursor's time in nanoseconds
   * and sequence number. The remainders of events may stand for many columns.
   */
  readonly native?: NativeReals | undefined
}

export function compile(query: CheckedQuery, options: CompileOptions): CompiledQuery {
  const uses = lastUse(query)
  const context: CompileContext = {
    uses,
    now: query.now,
    range: options.range,
    filteredRange: options.isWithinRange ? {} : options.range,
    layout: options.layout,
    rowsOf: (pipeline) => materializedPipeline(pipeline, context).rows,
  }
  const { rows: all, counts } = follow(query, context)
  const order = options.cursors && pageOrder(query, all, options.cursors)
  const isByArrival = all.order[0]?.arrival === true
  const isBackward = order !== undefined && options.cursors?.isBackward === true
  const start = order && options.cursors?.from
  const { limit } = options
  const pushdown = order && limit !== undefined ? limitPushdown(query, { order, limit }) : undefined
  // The count of matching events is independent of the page.
  const part = { ...context, page: start && { ...start, order, isByArrival }, pushdown }
  const divided = options.dividesSearches
    ? follow(query, { ...context, dividesSearches: true })
    : undefined
  const found = divided && readsAllEvents(query) ? divided.rows : all
  const forward = start || pushdown ? follow(query, part).rows : found
  const rows = isBackward ? reversed(forward) : forward
  const use = { uses, step: query.operators.length }
  const hasCursors = order !== undefined
  const { native } = options
  const fieldsInText = native ? fieldsInTextOf(query, options) : 0
  const shown = { limit, use, hasCursors, native, fieldsInText }
  const { rows: last, ...selected } = page(query, rows, shown)
  refuseDeep(selected.statement)
  const columns = describeColumns(query)
  const matched = sumOf((divided?.counts ?? counts).map(countQuery))
  // A page has fewer rows than there are matching events.
  const counted = start || limit === undefined ? undefined : matchedCount(query, limit)
  const isImplied = counted?.kind !== 'aggregation' || all.isRegrouped !== true
  return {
    ...selected,
    matched,
    matchedCount: isImplied ? counted : undefined,
    hasSearch: hasSearch(query),
    eventOrder: order,
    cursorDatasets: order === undefined ? [] : datasetsOf({ ...query, operators: [] }),
    isAsStored:
      order !== undefined &&
      !isByArrival &&
      (query.source.kind === 'dataset' || pushdown !== undefined),
    isUnfiltered: isUnfiltered(query),
    columns,
    isGrouped: query.operators.some(({ kind }) => kind === 'summarize'),
    ...describeTable(query, last),
  }
}

/** Returns the number of fields without columns of the dataset of a query. */
function fieldsInTextOf({ source }: CheckedQuery, { layout }: CompileOptions): number {
  if (source.kind !== 'dataset') return 0
  return layout(source.name).fields.filter(({ column }) => column === undefined).length
}

/** Returns the order of a page; undefined when its rows have no cursors, or can't be read backward. */
function pageOrder(
  query: CheckedQuery,
  rows: Rows,
  { isBackward }: NonNullable<CompileOptions['cursors']>,
): EventOrder | undefined {
  const order = eventOrder(query, rows)
  if (order === undefined || !isBackward) return order
  const isWhole = query.operators.every(({ kind }) => kind !== 'limit')
  return isWhole && query.source.kind === 'dataset' ? opposite(order) : undefined
}

/** Compiles a pipeline from its source through its last operator. */
function follow({ source, operators }: CheckedPipeline, context: CompileContext): CompiledPipeline {
  const from = sourceRows(source, { ...context, looked: columnsUsed(operators) })
  let searches: SearchParts = new Map()
  const placeOf = (step: number): OperatorContext => ({ ...context, operators, step, searches })
  let { rows } = from
  if (source.kind === 'dataset') {
    const layout = context.layout(source.name)
    const line = storedLine(source, { layout, uses: context.uses })
    const tokens = tokenSource(source.columns, layout, line)
    if (context.dividesSearches) {
      const events = { tokens, rows, scope: scopeOf(rows, context) }
      searches = dividedSearches(leadingPredicates(operators), events)
    }
    const { columns } = rows
    const filters = [...rows.filters, ...tokenFilters(operators, tokens, searches)]
    rows = readOnce({ ...rows, filters }, usedEarly(operators, context.uses), {
      ...placeOf(0),
      // The filters of the operators apply to rows that are parsed.
      before: () => prefilters(operators, columns, searches),
    })
  }
  let { counts } = from
  let { isEvents } = from
  for (const [step, operator] of operators.entries()) {
    if (isEvents && !keepsEvents(operator)) {
      counts = [rows]
      isEvents = false
    }
    rows = applyOperator(operator, rows, placeOf(step))
  }
  return { rows, counts: isEvents ? [rows] : counts, isEvents }
}

/** Compiles a source, including the pipelines nested in it. */
function sourceRows(
  source: CheckedSource,
  context: CompileContext & { readonly looked: ReadonlySet<number> },
): CompiledPipeline {
  switch (source.kind) {
    case 'dataset': {
      const { uses, filteredRange: range, page: from } = context
      const layout = context.layout(source.name)
      const rows = dataset(source, { layout, range, uses, page: from })
      return { rows, counts: [], isEvents: true }
    }
    case 'rows':
      return { rows: literalRows(source, context.uses), counts: [], isEvents: false }
    case 'union': {
      const parts = source.parts.map(({ pipeline }) => partOf(pipeline, context))
      return {
        rows: union(
          source,
          parts.map(({ rows }) => rows),
          context,
        ),
        counts: parts.flatMap(({ counts }) => counts),
        isEvents: parts.every(({ isEvents }) => isEvents),
      }
    }
    case 'join': {
      const [left, right] = [
        materializedPipeline(source.left, context),
        materializedPipeline(source.right, context),
      ]
      return {
        rows: join(source, { left: left.rows, right: right.rows }, context),
        counts: [...left.counts, ...right.counts],
        isEvents: false,
      }
    }
    default:
      return source satisfies never
  }
}

function materializedPipeline(
  pipeline: CheckedPipeline,
  context: CompileContext,
): CompiledPipeline {
  const followed = follow(pipeline, context)
  const use = { uses: context.uses, step: pipeline.operators.length }
  return { ...followed, rows: materialized(followed.rows, use) }
}

/** Wraps rows in a subquery in which every needed column is a stored one. */
function materialized(rows: Rows, use: ColumnUse): Rows {
  const picked = rows.limit === undefined ? rows : subquery(rows, use)
  const needed = [...picked.columns.keys()].filter((id) => (use.uses.get(id) ?? -1) >= use.step)
  const read = readOnce(picked, needed, use)
  const columns = new Map(
    [...read.columns].map(([id, cell]): readonly [number, Cell] => [
      id,
      cell.kind === 'text' ? { kind: 'computed', value: cell.value } : cell,
    ]),
  )
  const { summary: _forgotten, ...plain } = { ...read, columns }
  return subquery(plain, use)
}

/** Compiles one part of a union, limited to the rows that the result can contain. */
function partOf(pipeline: CheckedPipeline, context: CompileContext): CompiledPipeline {
  const { pushdown, ...rest } = context
  if (pushdown === undefined) return materializedPipeline(pipeline, context)
  const inner = limitPushdown(pipeline, pushdown)
  const followed = follow(pipeline, { ...rest, pushdown: inner })
  const use = { uses: context.uses, step: pipeline.operators.length }
  const { order, ...rows } = materialized(pushedDown(pushdown, followed.rows), use)
  return {
    ...followed,
    rows: { ...rows, order: order.map((key) => ({ ...key, direction: 'desc' })) },
  }
}

interface CompiledPipeline {
  readonly rows: Rows
  /** The counts of these rows add up to the number of events that pass the filters. */
  readonly counts: readonly Rows[]
  /** True while the rows are still exactly the events that pass the filters. */
  readonly isEvents: boolean
}

function sumOf(counts: readonly Sql[]): Sql | undefined {
  if (counts.length < 2) return counts[0]
  return sql`SELECT sum(matched) AS matched FROM (${joined(counts, ' UNION ALL ')})`
}

/** Returns the ids of the columns that the operators' expressions use. */
function columnsUsed(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  return new Set(
    operators.flatMap((operator) => valuesOf(operator).flatMap((value) => [...references(value)])),
  )
}

/** Returns the columns that are read for every event, before a limit or a grouping reduces the rows. */
function usedEarly(operators: readonly CheckedOperator[], uses: LastUse): ReadonlySet<number> {
  const end = operators.findIndex((operator) => !keepsEvents(operator))
  const last = operators[end]
  const early = columnsUsed(end === -1 ? operators : operators.slice(0, end))
  if (last === undefined) return early
  const late =
    last.kind === 'summarize'
      ? usedLate({ ...last, aggregates: usedAggregates(last, uses) })
      : new Set()
  return new Set([...early, ...[...columnsUsed([last])].filter((id) => !late.has(id))])
}
