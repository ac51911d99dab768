import type { ServiceResponse } from '../http.js'
import type { Call, Service } from '../route.js'
import { unknownDataset } from './unknown.js'

/** `DELETE /v1/datasets/<dataset>`: deletes a dataset with all its events. */
export async function removeDataset(
  { parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  if (!(await store.remove(dataset))) throw unknownDataset(dataset)
  return { status: 204, body: '' }
}
