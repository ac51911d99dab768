import { type JsonSchema, object } from '../../wire/shape/json-schema.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json, type ServiceResponse } from '../http.js'
import { RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { clearRetention } from './retention-setting.js'
import { unknownDataset } from './unknown-dataset.js'

const DURATION = text('The maximum age of events, such as `30d`.')
const RETENTION = optionalMembers({ duration: DURATION })

/** The schema of the body. */
export const RETENTION_SCHEMA: JsonSchema = object({ duration: DURATION.schema })

/**
 * `PUT /v1/datasets/<dataset>/retention`: sets the maximum age of a dataset's events, which takes precedence over the maximum age
 * set for the service.
 */
export async function setRetention(
  { request, parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const { duration } = RETENTION.decode('The request body', await readJson(request))
  if (duration === undefined) {
    throw new RefusedError(
      'invalid-field',
      'The request has no `duration`, the maximum age of events.',
    )
  }
  if (!parseDuration(duration)) {
    throw new RefusedError(
      'invalid-field',
      `\`duration\` takes ${DURATION_SYNTAX} above 0, not \`${duration}\`.`,
    )
  }
  if (store.layout(dataset) === undefined) throw unknownDataset(dataset)
  await store.retention.put({ id: dataset, body: duration })
  return json(200, { duration })
}

/** `DELETE /v1/datasets/<dataset>/retention`: removes the setting, so that the setting of the service applies. */
export async function removeRetention(
  { parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  if (store.layout(dataset) === undefined) throw unknownDataset(dataset)
  await clearRetention(store, dataset)
  return { status: 204, body: '' }
}
