import { count, flag, optionalMembers, text, word } from '../../wire/shape/request.js'
import { missing } from '../../wire/shape/request-error.js'
import type { ValueOf } from '../../wire/shape/shape.js'
import { readJson } from '../body/json-body.js'
import { json } from '../http.js'
import { checkDataset } from '../ingest/protocol.js'
import { invalidField, RefusedError } from '../refused-error.js'
import type { Handler } from '../route.js'
import { describeDataset } from './describe.js'
import { clearDocument, EVENTS, newRecord, recordsOf, saveRecord } from './record.js'
import { knownDataset } from './unknown-dataset.js'

const SETTINGS = {
  description: text('The description of the dataset.'),
  useRetentionPeriod: flag('True to delete old events.'),
  retentionDays: count('The maximum age of events in days, with `useRetentionPeriod`.'),
}

/** The body of `createDataset`. */
export const NEW_DATASET = optionalMembers(
  {
    name: text('The name.'),
    kind: word([EVENTS, 'otel:logs:v1', 'otel:traces:v1'], 'The kind of its events.'),
    ...SETTINGS,
  },
  ['name'],
)
/** The body of `updateDataset`. */
export const DATASET_SETTINGS = optionalMembers(SETTINGS)

/** `POST /v1/datasets`: creates a dataset without events. */
export const createDataset: Handler = async ({ request }, service) => {
  const { store, caller, now } = service
  const body = await readJson(request)
  const { name, kind, ...settings } = NEW_DATASET.decode('The request body', body)
  if (name === undefined || name === '') throw missing('name', 'the name of the dataset')
  checkDataset(name)
  const days = retentionDays(settings)
  if (!(await store.create(name))) {
    throw new RefusedError('exists', `The dataset \`${name}\` already exists.`)
  }
  const { description = '' } = settings
  const record = { ...newRecord(caller.name, now()), ...(kind && { kind }), description }
  await saveRecord(store, name, record)
  if (days) await store.retention.put({ id: name, body: `${days}d` })
  return json(200, await describeDataset(name, service))
}

/** `PUT /v1/datasets/<dataset>`: changes the description and the maximum age of events. Absent members keep their values. */
export const updateDataset: Handler = async ({ request, parameters }, service) => {
  const { store, now } = service
  const settings = DATASET_SETTINGS.decode('The request body', await readJson(request))
  const days = retentionDays(settings)
  const dataset = knownDataset(parameters, store)
  const { description } = settings
  const record = (await recordsOf(store, [dataset], now())).get(dataset)
  if (record !== undefined && description !== undefined) {
    await saveRecord(store, dataset, { ...record, description })
  }
  if (days) await store.retention.put({ id: dataset, body: `${days}d` })
  else if (days === 0) await clearDocument(store.retention, dataset)
  return json(200, await describeDataset(dataset, service))
}

/** Returns the maximum age of events in days, 0 for no maximum, and undefined when the request does not set it. */
function retentionDays({
  useRetentionPeriod,
  retentionDays = 0,
}: ValueOf<typeof DATASET_SETTINGS>): number | undefined {
  if (useRetentionPeriod === undefined) return undefined
  const days = Number(retentionDays)
  if (!useRetentionPeriod) return 0
  if (days > 0 && days <= MAX_DAYS) return days
  throw invalidField(
    `With \`useRetentionPeriod\`, \`retentionDays\` must be between 1 and ${MAX_DAYS}.`,
  )
}

/** A hundred years. */
const MAX_DAYS = 36_525
