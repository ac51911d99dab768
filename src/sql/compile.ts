import type {
  CheckedOperator,
  CheckedPipeline,
  CheckedQuery,
  CheckedSource,
} from '../apl/check/checked.js'
import type { Place, TimeRange, Whole } from './compile-context.js'
import type { CompiledQuery } from './compiled-query.js'
import { cutTo, eventOrder, type PageStart, unionCut } from './cursor.js'
import { describeColumns, describeTable } from './describe.js'
import { lastUse } from './last-use.js'
import type { Layout } from './layout.js'
import { countOf, page, scanOf } from './page.js'
import { after } from './pipeline.js'
import type { Rows } from './rows.js'
import { joined, type Sql, sql } from './sql.js'
import { readOnce } from './stage/event-text.js'
import { join } from './stage/join.js'
import { settled } from './stage/materialized.js'
import { source as dataset } from './stage/source.js'
import { union } from './stage/union.js'
import { writtenRows } from './stage/written-rows.js'
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
  const whole: Whole = {
    uses,
    now: query.now,
    range: options.range,
    layout: (dataset) => options.layout(dataset),
    rowsOf(pipeline) {
      const need = { uses, step: pipeline.operators.length }
      return settled(follow(pipeline, whole).rows, need)
    },
  }
  const { rows: all, counts } = follow(query, whole)
  const order = options.cursors && eventOrder(query, all)
  const start = order && options.cursors?.from
  const cut = order && unionCut(query, { order, limit: options.limit })
  // What matches is counted whatever the page.
  const part = { ...whole, ...(start && { page: { ...start, order } }), ...(cut && { cut }) }
  const rows = start || cut ? follow(query, part).rows : all
  const need = { uses, step: query.operators.length }
  const hasCursors = order !== undefined
  const { statement, rows: last } = page(query, rows, { limit: options.limit, need, hasCursors })
  const columns = describeColumns(query, (dataset) => options.layout(dataset))
  const matched = sumOf(counts.map(countOf))
  const countedBelow = start ? undefined : firstCut(query, options.limit)
  return {
    statement,
    ...(matched && { matched, scan: joined(counts.map(scanOf), ' UNION ALL ') }),
    ...(countedBelow !== undefined && { countedBelow }),
    ...(order && { eventOrder: order }),
    spansDatasets: order !== undefined && query.source.kind === 'union',
    isAsStored: order !== undefined && (query.source.kind === 'dataset' || cut !== undefined),
    isUnfiltered: takesAll(query),
    columns,
    isGrouped: query.operators.some(({ kind }) => kind === 'summarize'),
    ...describeTable(query, last),
  }
}

/** Follows the rows through the steps of a pipeline, from its source on. */
function follow({ source, operators }: CheckedPipeline, whole: Whole): Followed {
  const from = sourceRows(source, { ...whole, looked: lookedAt(operators) })
  const placeOf = (step: number): Place => ({ ...whole, step })
  let rows =
    source.kind === 'dataset' ? readOnce(from.rows, usedEarly(operators), placeOf(0)) : from.rows
  let { counts } = from
  let { isEvents } = from
  for (const [step, operator] of operators.entries()) {
    if (isEvents && !keepsEvents(operator)) {
      counts = [rows]
      isEvents = false
    }
    rows = after(operator, rows, placeOf(step))
  }
  return { rows, counts: isEvents ? [rows] : counts, isEvents }
}

/** The rows that a source gives; the pipelines in it have been followed to their end. */
function sourceRows(
  source: CheckedSource,
  whole: Whole & { readonly looked: ReadonlySet<number> },
): Followed {
  switch (source.kind) {
    case 'dataset': {
      const { uses, range, page: from } = whole
      const layout = whole.layout(source.name)
      const rows = dataset(source, { layout, range, uses, ...(from && { page: from }) })
      return { rows, counts: [], isEvents: true }
    }
    case 'rows':
      return { rows: writtenRows(source, whole.uses), counts: [], isEvents: false }
    case 'union': {
      const parts = source.parts.map(({ pipeline }) => partOf(pipeline, whole))
      return {
        rows: union(
          source,
          parts.map(({ rows }) => rows),
          whole,
        ),
        counts: parts.flatMap(({ counts }) => counts),
        isEvents: parts.every(({ isEvents }) => isEvents),
      }
    }
    case 'join': {
      const [left, right] = [inFull(source.left, whole), inFull(source.right, whole)]
      return {
        rows: join(source, { left: left.rows, right: right.rows }, whole),
        counts: [...left.counts, ...right.counts],
        isEvents: false,
      }
    }
    default:
      return source satisfies never
  }
}

function inFull(pipeline: CheckedPipeline, whole: Whole): Followed {
  const followed = follow(pipeline, whole)
  const need = { uses: whole.uses, step: pipeline.operators.length }
  return { ...followed, rows: settled(followed.rows, need) }
}

/** A part of a union, and no more of it than is needed. */
function partOf(pipeline: CheckedPipeline, whole: Whole): Followed {
  const { cut, ...uncut } = whole
  if (cut === undefined) return inFull(pipeline, whole)
  const inner = unionCut(pipeline, cut)
  const followed = follow(pipeline, { ...uncut, ...(inner && { cut: inner }) })
  const need = { uses: whole.uses, step: pipeline.operators.length }
  const { order, ...rows } = settled(cutTo(cut, followed.rows), need)
  return {
    ...followed,
    rows: { ...rows, order: order.map((key) => ({ ...key, direction: 'desc' })) },
  }
}

interface Followed {
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
function firstCut({ source, operators }: CheckedPipeline, limit: bigint): bigint | undefined {
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

function takesAll({ source, operators }: CheckedPipeline): boolean {
  return (
    operators.every((one) => one.kind === 'limit' || (keepsEvents(one) && one.kind !== 'where')) &&
    (source.kind !== 'union' || source.parts.every(({ pipeline }) => takesAll(pipeline)))
  )
}

/** The columns that the operators' expressions are made of. */
function lookedAt(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  return new Set(
    operators.flatMap((operator) => valuesOf(operator).flatMap((value) => [...references(value)])),
  )
}

/** The columns that are looked at in every event, before a limit or a grouping leaves few rows. */
function usedEarly(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  const end = operators.findIndex((operator) => !keepsEvents(operator))
  return lookedAt(operators.slice(0, end === -1 ? operators.length : end + 1))
}
