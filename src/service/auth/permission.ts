import type { Schema } from '../../apl/schema.js'
import type { Store } from '../../engine/store.js'
import { STARRED_ACTIONS, type StarredAction } from '../../wire/http/starred.js'
import { RefusedError } from '../refused-error.js'
import { type Grant, mayIngest, mayIngestAny, mayQuery, mayQueryAny, mayStarred } from './access.js'

/** What a token must allow for a request to be carried out; `everything` is what personal tokens alone allow. */
export type Permission = 'ingest' | 'query' | `starredQueries|${StarredAction}` | 'everything'

/**
 * Refuses a request that the token does not allow. `dataset` is the one in the path: which datasets a query reads is for
 * `permittedStore`, and which datasets a body has events for is for `permitIngest`.
 */
export function demand(
  permission: Permission,
  { grant, dataset }: { readonly grant: Grant; readonly dataset: string | undefined },
): void {
  switch (permission) {
    case 'everything':
      if (!grant.personal) throw refused(grant, 'this: a personal token does')
      return
    case 'ingest':
      if (!mayIngestAny(grant)) throw refusedIngest(grant, dataset)
      if (dataset !== undefined) permitIngest(grant, dataset)
      return
    case 'query':
      if (!mayQueryAny(grant)) throw refused(grant, 'queries')
      if (dataset !== undefined) permitQuery(grant, dataset)
      return
    default: {
      const action = STARRED_ACTIONS.find((one) => permission === `starredQueries|${one}`)
      if (action === undefined || !mayStarred(grant, action)) {
        throw refused(grant, `\`${permission}\``)
      }
    }
  }
}

/**
 * The store as the bearer of a token sees it. Of the datasets that may not be queried nothing is told: no pattern
 * finds them, no problem names them, and one asked for by name is refused whether or not it exists.
 */
export function permittedStore(store: Store, grant: Grant): Store {
  if (grant.personal) return store
  const schema: Schema = {
    get datasets() {
      return store.schema.datasets.filter((dataset) => mayQuery(grant, dataset))
    },
    fields(dataset) {
      permitQuery(grant, dataset)
      return store.schema.fields(dataset)
    },
  }
  return {
    ...store,
    schema,
    layout(dataset) {
      permitQuery(grant, dataset)
      return store.layout(dataset)
    },
  }
}

/** Throws a refusal when the token does not allow ingest into a dataset. */
export function permitIngest(grant: Grant, dataset: string): void {
  if (!mayIngest(grant, dataset)) throw refusedIngest(grant, dataset)
}

function refusedIngest(grant: Grant, dataset: string | undefined): RefusedError {
  return refused(grant, dataset === undefined ? 'ingest' : `ingest into \`${dataset}\``)
}

function permitQuery(grant: Grant, dataset: string): void {
  if (!mayQuery(grant, dataset)) throw refused(grant, `queries of \`${dataset}\``)
}

function refused({ name }: Grant, what: string): RefusedError {
  return new RefusedError('forbidden', `The token \`${name}\` does not allow ${what}.`)
}
