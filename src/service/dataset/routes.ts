import type { DatasetStatistics } from '../../engine/maintenance/dataset-stats.js'
import type { Store } from '../../engine/store.js'
import type { DatasetInfo, DatasetStats } from '../../wire/http/dataset-info.js'
import { type JsonSchema, object } from '../../wire/shape/json-schema.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json, type ServiceResponse } from '../http.js'
import { requestTime } from '../query/request-range.js'
import { RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { clearRetention, retentionOf } from './retention-setting.js'

/** `GET /v1/datasets`: the datasets that the caller may query, by name. */
export async function listDatasets(_: Call, { store }: Service): Promise<ServiceResponse> {
  const names = [...store.schema.datasets].sort()
  return json(
    200,
    names.map((name) => ({ id: name, name })),
  )
}

/** `GET /v1/datasets/_stats`: the statistics of all datasets. */
export async function datasetStats(_: Call, { store }: Service): Promise<ServiceResponse> {
  const all = await store.statistics()
  return json(
    200,
    all.map((statistics) => statsOf(statistics, store)),
  )
}

/** `GET /v1/datasets/<dataset>/info`: the statistics and fields of a dataset. */
export async function datasetInfo(
  { parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const [statistics] = await store.statistics(dataset)
  if (statistics === undefined) throw unknownDataset(dataset)
  const retention = await retentionOf(store, dataset)
  const info: DatasetInfo = {
    ...statsOf(statistics, store),
    ...(retention && { retention }),
    fields: fieldsOf(dataset, store).map(({ name, wireType }) => ({ name, type: wireType })),
  }
  return json(200, info)
}

function statsOf({ dataset, events, bytes, times }: DatasetStatistics, store: Store): DatasetStats {
  return {
    name: dataset,
    numEvents: events,
    numFields: fieldsOf(dataset, store).length,
    compressedBytes: bytes,
    ...(times && {
      minTime: formatTimestamp(times.first),
      maxTime: formatTimestamp(times.last),
    }),
  }
}

function fieldsOf(dataset: string, store: Store) {
  return store.layout(dataset)?.fields ?? []
}

/** `DELETE /v1/datasets/<dataset>`: deletes a dataset with all its events. */
export async function removeDataset(
  { parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  if (!(await store.remove(dataset))) throw unknownDataset(dataset)
  await clearRetention(store, dataset)
  return { status: 204, body: '' }
}

const BODY_BYTES = 4096

const BEFORE = text(
  'Events before this time are deleted. RFC 3339, `now`, or relative such as `now-1h`.',
)
const TRIM = optionalMembers({ before: BEFORE })

/** The schema of the body of `trimDataset`. */
export const TRIM_SCHEMA: JsonSchema = object({ before: BEFORE.schema })

/** `POST /v1/datasets/<dataset>/trim`: deletes events older than a given time. */
export async function trimDataset(
  { request, parameters }: Call,
  service: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const { before } = TRIM.decode('The request body', await readJson(request, BODY_BYTES))
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

/** The refusal of a request for an unknown dataset. */
export function unknownDataset(dataset: string): RefusedError {
  return new RefusedError('not-found', `There is no dataset \`${dataset}\`.`)
}
