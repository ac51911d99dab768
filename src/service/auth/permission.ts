import type { Schema } from '../../apl/schema.js'
import type { Store } from '../../engine/store.js'
import { STARRED_ACTIONS, type StarredAction } from '../../wire/http/starred.js'
import { RefusedError } from '../refused-error.js'
import { type Grant, may } from './grant.js'

/** The permission that a request requires: every token has `any`, only personal tokens have `everything`. */
export type Permission =
  | 'any'
  | 'ingest'
  | 'query'
  | `starredQueries|${StarredAction}`
  | 'everything'

/**
 * Throws a `RefusedError` when the grant lacks a permission. `dataset` is the dataset in the path: `permittedStore` checks the
 * datasets of a query, and `permitIngest` checks the datasets of a body.
 */
export function requirePermission(
  permission: Permission,
  { grant, dataset }: { readonly grant: Grant; readonly dataset: string | undefined },
): void {
  switch (permission) {
    case 'any':
      return
    case 'everything':
      if (!grant.personal) throw refused(grant, 'this request, which requires a personal token')
      return
    case 'ingest':
      permitIngest(grant, dataset)
      return
    case 'query':
      if (!may(grant, 'query')) throw refused(grant, 'queries')
      if (dataset !== undefined) permitQuery(grant, dataset)
      return
    default: {
      const action = STARRED_ACTIONS.find((one) => permission === `starredQueries|${one}`)
      if (action === undefined || !may(grant, 'starred', action)) {
        throw refused(grant, `\`${permission}\``)
      }
    }
  }
}

/**
 * Returns a view of the store that is limited to a grant. Datasets that may not be queried are invisible: no pattern
 * matches them, no problem names them, and querying one by name fails identically whether or not it exists.
 */
export function permittedStore(store: Store, grant: Grant): Store {
  if (grant.personal) return store
  const schema: Schema = {
    get datasets() {
      return store.schema.datasets.filter((dataset) => may(grant, 'query', dataset))
    },
    fields(dataset) {
      permitQuery(grant, dataset)
      return store.schema.fields(dataset)
    },
  }
  return {
    ...store,
    schema,
    get damage() {
      return store.damage.filter(
        ({ dataset }) => dataset === undefined || may(grant, 'query', dataset),
      )
    },
    async statistics(dataset) {
      if (dataset !== undefined) permitQuery(grant, dataset)
      const all = await store.statistics(dataset)
      return all.filter((one) => may(grant, 'query', one.dataset))
    },
    layout(dataset) {
      permitQuery(grant, dataset)
      return store.layout(dataset)
    },
  }
}

/** Throws a `RefusedError` when the grant does not allow ingest into a dataset; without one, into any. */
export function permitIngest(grant: Grant, dataset: string | undefined): void {
  if (may(grant, 'ingest', dataset)) return
  throw refused(grant, dataset === undefined ? 'ingest' : `ingest into \`${dataset}\``)
}

function permitQuery(grant: Grant, dataset: string): void {
  if (!may(grant, 'query', dataset)) throw refused(grant, `queries of \`${dataset}\``)
}

function refused({ name }: Grant, what: string): RefusedError {
  return new RefusedError('forbidden', `The token \`${name}\` does not allow ${what}.`)
}
