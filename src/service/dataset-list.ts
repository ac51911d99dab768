import { json } from './answer.js'
import type { ServiceResponse } from './http.js'
import { RefusedError } from './refused-error.js'
import type { Call, Service } from './route.js'

/** `GET /v1/datasets`: the datasets there are, by name. */
export async function listDatasets({ grant }: Call, service: Service): Promise<ServiceResponse> {
  if (grant?.personal !== true) {
    throw new RefusedError('forbidden', 'Only a personal token may list the datasets.')
  }
  const names = [...service.store.schema.datasets].sort()
  return json(
    200,
    names.map((name) => ({ id: name, name })),
  )
}
