import type { ServiceResponse } from '../http.js'
import { json } from '../json-response.js'
import type { Call, Service } from '../route.js'

/** `GET /v1/datasets`: the datasets that the caller may query, by name. */
export async function listDatasets(_: Call, { store }: Service): Promise<ServiceResponse> {
  const names = [...store.schema.datasets].sort()
  return json(
    200,
    names.map((name) => ({ id: name, name })),
  )
}
