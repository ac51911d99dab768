import { object, optional, text } from '../body/decode.js'
import { readJson } from '../body/json-body.js'
import type { ServiceResponse } from '../http.js'
import { json } from '../json-response.js'
import { requestTime } from '../query/request-range.js'
import { RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { unknownDataset } from './unknown.js'

const BODY_BYTES = 4096

/** `POST /v1/datasets/<dataset>/trim`: deletes events older than a given time. */
export async function trimDataset(
  { request, parameters }: Call,
  service: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const members = object('The request body', await readJson(request, BODY_BYTES))
  const before = optional(members, 'before', text)
  if (before === undefined || before === '') {
    throw new RefusedError(
      'invalid-field',
      'The request has no `before`, the time up to which events are deleted.',
    )
  }
  const instant = requestTime('before', { text: before, now: service.now() })
  if (service.store.layout(dataset) === undefined) throw unknownDataset(dataset)
  return json(200, { deleted: await service.store.trim(dataset, instant) })
}
