import type { CheckedOperator, CheckedQuery } from '../apl/checked.js'
import type { Type } from '../apl/type.js'
import { describeColumns, describeTable } from './describe.js'
import { lastUse, references, valuesOf } from './last-use.js'
import type { Layout } from './layout.js'
import { countOf, page } from './page.js'
import { after, type Place } from './pipeline.js'
import type { Sql } from './sql.js'
import { readOnce } from './stage/event-text.js'
import { source } from './stage/source.js'

/** What a checked query does not say itself: how its datasets lie, and what of them is asked for. */
export interface CompileOptions {
  /** How a dataset lies; there is an answer for every dataset that the query names. */
  layout(dataset: string): Layout
  readonly range: TimeRange
  /** The most rows the answer may hold. */
  readonly limit: bigint
}

/** Nanoseconds since 1970 that `_time` of every dataset is kept within: start included, end not. */
export interface TimeRange {
  readonly start?: bigint
  readonly end?: bigint
}

/** A query as the engine runs it, and what its answer means. */
export interface CompiledQuery {
  /** Its columns are named `c<id>`, in the order of `columns`; it has no FORMAT. */
  readonly statement: Sql
  readonly columns: readonly CompiledColumn[]
  /** Counts, as `matched`, the events that pass the filters before anything else is done with them. */
  readonly matched: Sql
  /** With fewer rows than this, the rows are all the events that pass the filters: there is nothing to count. */
  readonly countedBelow?: bigint
  /** The order that the rows come in, as far as columns of the result tell it. */
  readonly order: readonly { readonly field: string; readonly desc: boolean }[]
  /** The keys of the `summarize` that are not its time bin. */
  readonly groups: readonly string[]
  /** The time bin of the `summarize` and its size in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint }
}

export interface CompiledColumn {
  readonly id: number
  readonly name: string
  readonly type: Type
  readonly wireType: string
  /** `json`: the cells are strings that hold JSON text, to be put into an answer as they are; null is no value. */
  readonly encoding: 'plain' | 'json'
}

/** Compiles a checked query to one statement. */
export function compile(query: CheckedQuery, options: CompileOptions): CompiledQuery {
  const layout = options.layout(query.source.name)
  const uses = lastUse(query)
  const placeOf = (step: number): Place => ({
    uses,
    now: query.now,
    range: options.range,
    step,
  })

  const events = source(query.source, { layout, range: options.range, uses })
  let rows = readOnce(events, usedEarly(query.operators), placeOf(0))
  let matched: Sql | undefined
  for (const [step, operator] of query.operators.entries()) {
    if (!keepsEvents(operator)) matched ??= countOf(rows)
    rows = after(operator, rows, placeOf(step))
  }
  matched ??= countOf(rows)

  const need = placeOf(query.operators.length)
  const { statement, rows: last } = page(query, rows, { limit: options.limit, need })
  const columns = describeColumns(query, layout)
  const countedBelow = firstCut(query.operators, options.limit)
  return {
    statement,
    matched,
    ...(countedBelow !== undefined && { countedBelow }),
    columns,
    ...describeTable(query, last),
  }
}

/** The lowest limit; undefined where the rows are no events or fewer than pass the filters for another reason. */
function firstCut(operators: readonly CheckedOperator[], limit: bigint): bigint | undefined {
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

/** The columns that are looked at in every event, before a limit or a grouping leaves few rows. */
function usedEarly(operators: readonly CheckedOperator[]): ReadonlySet<number> {
  const end = operators.findIndex((operator) => !keepsEvents(operator))
  const early = operators.slice(0, end === -1 ? operators.length : end + 1)
  return new Set(
    early.flatMap((operator) => valuesOf(operator).flatMap((value) => [...references(value)])),
  )
}
