import type { DatasetStatistics } from '../../engine/maintenance/dataset-stats.js'
import type { Store } from '../../engine/store.js'
import type { DatasetInfo, DatasetStats } from '../../wire/http/dataset-info.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { json } from '../http.js'
import type { Handler } from '../route.js'
import { damagedPart } from './damage.js'
import { clearDocument, type DatasetRecord, recordsOf } from './record.js'
import { unknownDataset } from './unknown-dataset.js'

/** `GET /v1/datasets/_stats`: the statistics of all datasets. */
export const datasetStats: Handler = async (_, { store, now }) => {
  const all = await store.statistics()
  const records = await recordsOf(store, store.schema.datasets, now())
  return json(
    200,
    all.map((statistics) => statsOf(statistics, { store, records })),
  )
}

/** `GET /v1/datasets/<dataset>/info`: the statistics and fields of a dataset. */
export const datasetInfo: Handler = async ({ parameters }, { store, now }) => {
  const { dataset = '' } = parameters
  const [statistics] = await store.statistics(dataset)
  if (statistics === undefined) throw unknownDataset(dataset)
  const records = await recordsOf(store, [dataset], now())
  const retention = (await store.retention.get(dataset))?.body
  const damage = store.damage.find((one) => one.dataset === dataset)
  const info: DatasetInfo = {
    ...statsOf(statistics, { store, records }),
    damage: damage?.parts.map(damagedPart),
    retention,
    fields: fieldsOf(dataset, store).map(({ name, wireType }) => ({ name, type: wireType })),
  }
  return json(200, info)
}

function statsOf(
  { dataset, events, size, times }: DatasetStatistics,
  about: { readonly store: Store; readonly records: ReadonlyMap<string, DatasetRecord> },
): DatasetStats {
  const created = about.records.get(dataset)?.created
  return {
    name: dataset,
    numEvents: events,
    numFields: fieldsOf(dataset, about.store).length,
    inputBytes: size.uncompressed,
    compressedBytes: size.compressed,
    ...(times && {
      minTime: formatTimestamp(times.first),
      maxTime: formatTimestamp(times.last),
    }),
    created,
  }
}

function fieldsOf(dataset: string, store: Store) {
  return store.layout(dataset)?.fields ?? []
}

/** `DELETE /v1/datasets/<dataset>`: deletes a dataset with all its events. */
export const removeDataset: Handler = async ({ parameters }, { store }) => {
  const { dataset = '' } = parameters
  if (!(await store.remove(dataset))) throw unknownDataset(dataset)
  await clearDocument(store.retention, dataset)
  await clearDocument(store.datasetRecords, dataset)
  return { status: 204, body: '' }
}
