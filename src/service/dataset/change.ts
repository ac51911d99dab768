import { formatInteger } from '../../text/integer.js'
import { FIRST_TIME } from '../../wire/event/event-time.js'
import { MAX_REMOVED_BATCHES } from '../../wire/http/dataset-info.js'
import { listOf, optionalMembers, text } from '../../wire/shape/request.js'
import { missing } from '../../wire/shape/request-error.js'
import type { ValueOf } from '../../wire/shape/shape.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { readJson } from '../body/json-body.js'
import { json } from '../http.js'
import { checkDataset } from '../ingest/protocol.js'
import { DOCUMENT_BODY_BYTES } from '../limits.js'
import { requestTime } from '../query/request-range.js'
import { invalidField, RefusedError } from '../refused-error.js'
import type { Handler } from '../route.js'
import { clearDocument, moveDocuments } from './record.js'
import { knownDataset, unknownDataset } from './unknown-dataset.js'

export const RENAME = optionalMembers({ name: text('The new name.') }, ['name'])

/** `POST /v1/datasets/<dataset>/rename`: renames a dataset; tokens that name it keep their permissions. */
export const renameDataset: Handler = async ({ request, parameters }, { store, access }) => {
  const { dataset = '' } = parameters
  const { name } = RENAME.decode('The request body', await readJson(request))
  if (name === undefined || name === '') throw missing('name', 'the new name')
  checkDataset(name)
  const outcome = name === dataset ? 'exists' : await store.rename(dataset, name)
  if (outcome === 'unknown') throw unknownDataset(dataset)
  if (outcome === 'exists') {
    throw new RefusedError('exists', `The dataset \`${name}\` already exists.`)
  }
  await moveDocuments(store, dataset, name)
  return json(200, { tokens: await access.renameDataset(dataset, name) })
}

/** `DELETE /v1/datasets/<dataset>`: deletes a dataset with all its events. */
export const removeDataset: Handler = async ({ parameters }, { store }) => {
  const { dataset = '' } = parameters
  if (!(await store.remove(dataset))) throw unknownDataset(dataset)
  await clearDocument(store.retention, dataset)
  await clearDocument(store.datasetRecords, dataset)
  return { status: 204, body: '' }
}

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

export const TRIM = optionalMembers({
  before: text(
    'Events before this time are deleted. RFC 3339, `now`, or relative such as `now-1h`.',
  ),
  maxDuration: text('Events older than this are deleted, such as `720h` or `1h0m0s`.'),
})

/** `POST /v1/datasets/<dataset>/trim`: deletes old events. */
export const trimDataset: Handler = async ({ request, parameters }, { store, now }) => {
  const trim = TRIM.decode('The request body', await readJson(request))
  const instant = trimTime(trim, now())
  const dataset = knownDataset(parameters, store)
  return json(200, { deleted: await store.trim(dataset, instant) })
}

function trimTime({ before, maxDuration }: ValueOf<typeof TRIM>, now: bigint): bigint {
  if (before && maxDuration) {
    throw invalidField('The request has both `before` and `maxDuration`. Send one of them.')
  }
  if (before) return requestTime('before', { text: before, now })
  if (maxDuration) return timeBefore(maxDuration, now)
  throw invalidField(
    'The request has neither `before`, the time up to which events are deleted, nor `maxDuration`, their maximum age.',
  )
}

/**
 * Returns the time that lies a duration before `now`. A duration of 0, which would delete all events, is refused: axiom-py sends it
 * for `timedelta(days=30)`, because it encodes the seconds without the days.
 */
function timeBefore(duration: string, now: bigint): bigint {
  const nanoseconds = parseDuration(duration)
  if (!nanoseconds) {
    throw invalidField(`\`maxDuration\` takes ${DURATION_SYNTAX} above 0, not \`${duration}\`.`)
  }
  const instant = now - nanoseconds
  return instant < FIRST_TIME ? FIRST_TIME : instant
}

export const BATCH_REMOVAL = optionalMembers(
  { ids: listOf(text(), `Batch ids, at most ${formatInteger(MAX_REMOVED_BATCHES)}.`) },
  ['ids'],
)

/**
 * `POST /v1/datasets/<dataset>/_batches/remove`: deletes the events of batches. The batches can't be stored later, so that a
 * request still in flight does not bring them back. A repeated request gets the same response.
 */
export const removeBatches: Handler = async ({ request, parameters }, { store }) => {
  const { dataset = '' } = parameters
  checkDataset(dataset)
  const body = await readJson(request, DOCUMENT_BODY_BYTES)
  const { ids } = BATCH_REMOVAL.decode('The request body', body)
  if (ids === undefined) throw missing('ids', 'the ids of the batches to remove')
  if (ids.length > MAX_REMOVED_BATCHES) {
    throw invalidField(
      `\`ids\` has ${formatInteger(ids.length)} batch ids; at most ${formatInteger(MAX_REMOVED_BATCHES)} are removed at once. Send several requests.`,
    )
  }
  return json(200, { removed: await store.removeBatches(dataset, ids) })
}
