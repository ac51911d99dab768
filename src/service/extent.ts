import type { EngineResult, ReadLimits } from '../engine/engine.js'
import type { Store } from '../engine/store.js'
import type { TimeRange } from '../sql/compile.js'
import { identifier, sql } from '../sql/sql.js'
import { parseTimestamp } from '../wire/timestamp.js'

/** The times of the first and the last event that a query may have looked at; undefined when there is none. */
export type Extent = { readonly first: bigint; readonly last: bigint } | undefined

/** Finds it from the primary key alone, without reading events. */
export async function examined(options: {
  readonly store: Store
  readonly dataset: string
  readonly range: TimeRange
  readonly limits: ReadLimits
}): Promise<Extent> {
  const { store, dataset, range } = options
  const layout = store.layout(dataset)
  if (layout === undefined) return undefined
  const table = identifier(layout.table)
  const result = await store.read(
    sql`select min(_time) as first, max(_time) as last from ${table} having count() > 0`,
    options.limits,
  )
  const first = instant(result, 'first')
  const last = instant(result, 'last')
  if (first === undefined || last === undefined) return undefined
  return within({ first, last }, range)
}

function within(extent: { first: bigint; last: bigint }, { start, end }: TimeRange): Extent {
  const first = start !== undefined && start > extent.first ? start : extent.first
  const last = end !== undefined && end <= extent.last ? end - 1n : extent.last
  return first > last ? undefined : { first, last }
}

function instant({ columns }: EngineResult, name: string): bigint | undefined {
  const [text] = JSON.parse(columns.get(name) ?? '[]') as readonly string[]
  return text === undefined ? undefined : parseTimestamp(text)
}
