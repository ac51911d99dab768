import { isDatasetName } from '../../wire/http/dataset-name.js'
import { HEADER } from '../../wire/http/header.js'
import type { ServiceRequest } from '../http.js'
import { invalidRequest, type RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { checkDataset } from './protocol.js'

/**
 * Returns the dataset for a request whose path names no dataset: from its header, else from its query parameter `dataset`, else its
 * tenant if that is a valid name, else the default of the service. Throws a `RefusedError` when there is no default, or when the name
 * is invalid.
 */
export function targetDataset(
  { request }: Call,
  { defaultDataset }: Pick<Service, 'defaultDataset'>,
): string {
  const named = request.headers[HEADER.dataset]
  const dataset = named || request.query.get('dataset') || tenantOf(request) || defaultDataset
  if (dataset === undefined) throw noDataset()
  checkDataset(dataset)
  return dataset
}

/** Returns the tenant of a request in the header of Loki. */
function tenantOf({ headers }: ServiceRequest): string | undefined {
  const tenant = headers['x-scope-orgid']
  return tenant !== undefined && isDatasetName(tenant) ? tenant : undefined
}

function noDataset(): RefusedError {
  return invalidRequest(
    'The request names no dataset. Set the header `X-Axiom-Dataset` or the query parameter `dataset`, or start the service with `evq serve --default-dataset <name>`.',
  )
}
