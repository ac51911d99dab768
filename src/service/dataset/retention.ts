import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { missing } from '../body/decode.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json } from '../http.js'
import { invalidField } from '../refused-error.js'
import type { Handler } from '../route.js'
import { clearDocument } from './record.js'
import { knownDataset } from './unknown-dataset.js'

/** The body of `setRetention`. */
export const RETENTION = optionalMembers(
  { duration: text('The maximum age of events, such as `30d`.') },
  ['duration'],
)

/**
 * `PUT /v1/datasets/<dataset>/retention`: sets the maximum age of a dataset's events, which takes precedence over the maximum age
 * set for the service.
 */
export const setRetention: Handler = async ({ request, parameters }, { store }) => {
  const { duration } = RETENTION.decode('The request body', await readJson(request))
  if (duration === undefined) throw missing('duration', 'the maximum age of events')
  if (!parseDuration(duration)) {
    throw invalidField(`\`duration\` takes ${DURATION_SYNTAX} above 0, not \`${duration}\`.`)
  }
  const dataset = knownDataset(parameters, store)
  await store.retention.put({ id: dataset, body: duration })
  return json(200, { duration })
}

/** `DELETE /v1/datasets/<dataset>/retention`: removes the setting, so that the setting of the service applies. */
export const removeRetention: Handler = async ({ parameters }, { store }) => {
  await clearDocument(store.retention, knownDataset(parameters, store))
  return { status: 204, body: '' }
}
