import type { DatasetStatistics } from '../../engine/maintenance/dataset-stats.js'
import type { Store } from '../../engine/store.js'
import type { DatasetInfo, DatasetStats } from '../../wire/http/dataset-info.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { ServiceResponse } from '../http.js'
import { json } from '../json-response.js'
import type { Call, Service } from '../route.js'
import { unknownDataset } from './unknown.js'

/** `GET /v1/datasets/_stats`: the statistics of all datasets. */
export async function datasetStats(_: Call, { store }: Service): Promise<ServiceResponse> {
  const all = await store.statistics()
  return json(
    200,
    all.map((holding) => statsOf(holding, store)),
  )
}

/** `GET /v1/datasets/<dataset>/info`: the statistics and fields of a dataset. */
export async function datasetInfo(
  { parameters }: Call,
  { store }: Service,
): Promise<ServiceResponse> {
  const { dataset = '' } = parameters
  const [holding] = await store.statistics(dataset)
  if (holding === undefined) throw unknownDataset(dataset)
  const info: DatasetInfo = {
    ...statsOf(holding, store),
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
