import type {
  CheckedOperator,
  CheckedPipeline,
  CheckedQuery,
  CheckedSource,
} from '../apl/check/checked.js'
import type { CompileContext, OperatorContext, TimeRange } from './compile-context.js'
import type { CompiledQuery } from './compiled-query.js'
import { eventOrder, limitPushdown, type PageStart, pushedDown } from './cursor.js'
import { describeColumns, describeTable } from './describe.js'
import { lastUse } from './last-use.js'
import type { Layout } from './layout.js'
import { countQuery, page, scanQuery } from './page.js'
import { applyOperator } from './pipeline.js'
import type { Rows } from './rows.js'
import { joined, type Sql, sql } from './sql.js'
import { readOnce } from './stage/event-text.js'
import { join } from './stage/join.js'
import { materialized } from './stage/materialized.js'
import { source as dataset } from './stage/source.js'
import { union } from './stage/union.js'
import { literalRows } from './stage/written-rows.js'
import { references, valuesOf } from './walk.js'

/** What a checked query does not say itself: how its datasets lie, and what of them is asked for. */
export interface CompileOptions {
  /** How a dataset lies; there is an answer for every dataset that the query names. */
  layout(dataset: string): Layout
  readonly range: TimeRange
  /** The most rows the answer may hold. */
  readonly limit: bigint
  /** Asks for the cursors of the rows, where they have some. */
  readonly cursors?: { readonly from?: PageStart }
}

/** Compiles a checked query to one statement. */
export function compile(query: CheckedQuery, options: CompileOptions): CompiledQuery {
  const uses = lastUse(query)
  const context: CompileContext = {
    uses,
    now: query.now,
    range: options.range,
    layout: (dataset) => options.layout(dataset),
    rowsOf(pipeline) {
      const use = { uses, step: pipeline.operators.length }
      return materialized(follow(pipeline, context).rows, use)
    },
  }
  const { rows: all, counts } = follow(query, context)
  const order = options.cursors && eventOrder(query, all)
  const start = order && options.cursors?.from
  const pushdown = order && limitPushdown(query, { order, limit: options.limit })
  // What matches is counted whatever the page.
  const part = {
    ...context,
    ...(start && { page: { ...start, order } }),
    ...(pushdown && { pushdown }),
  }
  const rows = start || pushdown ? follow(query, part).rows : all
  const use = { uses, step: query.operators.length }
  const hasCursors = order !== undefined
  const { statement, rows: last } = page(query, rows, { limit: options.limit, use, hasCursors })
  const columns = describeColumns(query, (dataset) => options.layout(dataset))
  const matched = sumOf(counts.map(countQuery))
  const countedBelow = start ? undefined : lowestLimit(query, options.limit)
  return {
    statement,
    ...(matched && { matched, scan: joined(counts.map(scanQuery), ' UNION ALL ') }),
    ...(countedBelow !== undefined && { countedBelow }),
    ...(order && { eventOrder: order }),
    spansDatasets: order !== undefined && query.source.kind === 'union',
    isAsStored: order !== undefined && (query.source.kind === 'dataset' || pushdown !== undefined),
    isUnfiltered: isUnfiltered(query),
    columns,
    isGrouped: query.operators.some(({ kind }) => kind === 'summarize'),
    ...describeTable(query, last),
  }
}

/** Follows the rows through the steps of a pipeline, from its source on. */
function follow({ source, operators }: CheckedPipeline, context: CompileContext): CompiledPipeline {
  const from = sourceRows(source, { ...context, looked: columnsUsed(operators) })
  const placeOf = (step: number): OperatorContext => ({ ...context, step })
  let rows =
    source.kind === 'dataset' ? readOnce(from.rows, usedEarly(operators), placeOf(0)) : from.rows
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

/** The rows that a source gives; the pipelines in it have been followed to their end. */
function sourceRows(
  source: CheckedSource,
  context: CompileContext & { readonly looked: ReadonlySet<number> },
): CompiledPipeline {
  switch (source.kind) {
    case 'dataset': {
      const { uses, range, page: from } = context
      const layout = context.layout(source.name)
      const rows = dataset(source, { layout, range, uses, ...(from && { page: from }) })
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

/** A part of a union, and no more of it than is needed. */
function partOf(pipeline: CheckedPipeline, context: CompileContext): CompiledPipeline {
  const { pushdown, ...rest } = context
  if (pushdown === undefined) return materializedPipeline(pipeline, context)
  const inner = limitPushdown(pipeline, pushdown)
  const followed = follow(pipeline, { ...rest, ...(inner && { pushdown: inner }) })
  const use = { uses: context.uses, step: pipeline.operators.length }
  const { order, ...rows } = materialized(pushedDown(pushdown, followed.rows), use)
  return {
    ...followed,
    rows: { ...rows, order: order.map((key) => ({ ...key, direction: 'desc' })) },
  }
}

interface CompiledPipeline {
  readonly rows: Rows
  /** Together, the events that passed the filters. */
  readonly counts: readonly Rows[]
  /** Whether the rows still are the events that passed the filters. */
  readonly isEvents: boolean
}

function sumOf(counts: readonly Sql[]): Sql | undefined {
  if (counts.length < 2) return counts[0]
  return sql`SELECT sum(matched) AS matched FROM (${joined(counts, ' UNION ALL ')})`
}

/** The lowest limit; undefined where the rows are no events or fewer than pass the filters for another reason. */
function lowestLimit({ source, operators }: CheckedPipeline, limit: bigint): bigint | undefined {
  if (source.kind !== 'dataset') return undefined
  let lowest = limit
  for (const [step, operator] of operators.entries()) {
    const isCut = operators.slice(0, step).some(({ kind }) => kind === 'limit')
    if (operator.kind === 'limit') {
      if (operator.count < lowest) lowest = operator.count
    } else if (!keepsEvents(operator) || (isCut && operator.kind === 'where')) {
      return undefined
    }
  }
  return lowest
}

/** Whether each row is still an event afterwards, and no event is left out that passed the filters. */
function keepsEvents({ kind }: CheckedOperator): boolean {
  return kind === 'where' || kind === 'extend' || kind === 'project' || kind === 'sort'
}

function isUnfiltered({ source, operators }: CheckedPipeline): boolean {
  return (
    operators.every((one) => one.kind === 'limit' || (keepsEvents(one) && one.kind !== 'where')) &&
    (source.kind !== 'union' || source.parts.every(({ pipeline }) => isUnfiltered(pipeline)))
  )
}

/** The columns that the operators' expressions are made of. */
function columnsUsed(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  return new Set(
    operators.flatMap((operator) => valuesOf(operator).flatMap((value) => [...references(value)])),
  )
}

/** The columns that are looked at in every event, before a limit or a grouping leaves few rows. */
function usedEarly(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  const end = operators.findIndex((operator) => !keepsEvents(operator))
  return columnsUsed(operators.slice(0, end === -1 ? operators.length : end + 1))
}
