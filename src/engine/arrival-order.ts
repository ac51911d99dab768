import type { Field, Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import { sql } from '../sql/sql.js'
import { memoized } from '../text/memoized.js'
import { tableOf } from './catalog/database.js'
import type { ReadLimits } from './engine.js'
import { numberIn } from './response.js'
import type { Store } from './store.js'

/** The fields of a dataset that may still appear in its events. */
export type AssumedFields = (dataset: string) => readonly string[]

/**
 * Returns the store with events in the order of their arrival, and without `_sysTime`, which means nothing for events that are
 * read for one query only. Queries can use the fields that `assumed` returns before any event has them.
 */
export function inArrivalOrder(store: Store, assumed: AssumedFields): Store {
  // The compiler caches what it derives by the identity of layouts and fields.
  const layoutOf = memoized((layout: Layout): Layout => ({ ...layout, order: 'arrival' }))
  const fieldsOf = memoized((fields: readonly Field[]) =>
    fields.filter(({ name }) => name !== '_sysTime'),
  )
  const schema: Schema = {
    get datasets() {
      return store.schema.datasets
    },
    fields(dataset) {
      const fields = store.schema.fields(dataset)
      return fields && withAssumed(fieldsOf(fields), assumed(dataset))
    },
  }
  return {
    ...store,
    schema,
    layout(dataset) {
      const layout = store.layout(dataset)
      return layout && layoutOf(layout)
    },
  }
}

/** Returns the number of events of a dataset that arrived before the one with a sequence number. */
export async function arrivedBefore(
  store: Store,
  { dataset, seq }: { readonly dataset: string; readonly seq: bigint },
  limits: ReadLimits,
): Promise<number> {
  const counting = sql`SELECT count() AS events FROM ${tableOf(dataset)} WHERE _seq < ${seq}`
  return numberIn(await store.read(counting, limits), 'events')
}

function withAssumed(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  const known = new Set(fields.map(({ name }) => name))
  const others = names.filter((name) => !known.has(name))
  if (others.length === 0) return fields
  return [...fields, ...others.map((name) => ({ name, type: 'dynamic' }) as const)]
}
