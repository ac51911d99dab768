import { HEADER } from '../../wire/http/header.js'
import { invalidRequest, type RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { checkDataset } from './protocol.js'

/**
 * Returns the dataset for a request whose path names no dataset: from its header, else from its query parameter `dataset`, else the
 * default of the service. Throws a `RefusedError` when there is no default, or when the name is invalid.
 */
export function targetDataset(
  { request }: Call,
  { defaultDataset }: Pick<Service, 'defaultDataset'>,
): string {
  const named = request.headers[HEADER.dataset]
  const dataset = named || request.query.get('dataset') || defaultDataset
  if (dataset === undefined) throw noDataset()
  checkDataset(dataset)
  return dataset
}

function noDataset(): RefusedError {
  return invalidRequest(
    'The request names no dataset. Set the header `X-Axiom-Dataset` or the query parameter `dataset`, or start the service with `evq serve --default-dataset <name>`.',
  )
}
