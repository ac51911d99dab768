import type { DatasetStatistics } from '../../engine/maintenance/dataset-stats.js'
import type { Store } from '../../engine/store.js'
import type { DatasetDescription, DatasetInfo, DatasetStats } from '../../wire/http/dataset-info.js'
import type { FieldMeta } from '../../wire/http/tabular-result.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { may } from '../auth/grant.js'
import { json } from '../http.js'
import { fieldsMeta } from '../query/tabular.js'
import type { Handler, Service } from '../route.js'
import { damagedPart } from './damage.js'
import { type DatasetRecord, recordsOf, retentionPeriods } from './record.js'
import { knownDataset, unknownDataset } from './unknown-dataset.js'

const DAY_MS = 86_400_000

/** `GET /v1/datasets`: the datasets that the caller may query, by name. */
export const listDatasets: Handler = async (_, service) => {
  return json(200, await descriptions(service.store.schema.datasets, service))
}

/** `GET /v1/datasets/<dataset>`: one dataset. */
export const getDataset: Handler = async ({ parameters }, service) => {
  return json(200, await describeDataset(knownDataset(parameters, service.store), service))
}

/** `GET /v1/datasets/_fields`: the fields of all datasets that the caller may query. */
export const allFields: Handler = async (_, { store }) => {
  return json(
    200,
    store.schema.datasets.map((datasetName) => ({
      datasetName,
      fields: fieldsOf(datasetName, store),
    })),
  )
}

/** `GET /v2/datasets/<dataset>/fields`: the fields of a dataset. */
export const datasetFields: Handler = async ({ parameters }, { store }) => {
  return json(200, fieldsOf(knownDataset(parameters, store), store))
}

function fieldsOf(dataset: string, store: Store): readonly FieldMeta[] {
  return fieldsMeta(store.layout(dataset)?.fields ?? [])
}

export async function describeDataset(
  dataset: string,
  service: Service,
): Promise<DatasetDescription> {
  const [description] = await descriptions([dataset], service)
  if (description === undefined) throw new Error(`\`${dataset}\` has no description`)
  return description
}

async function descriptions(
  names: readonly string[],
  { store, caller, now }: Service,
): Promise<readonly DatasetDescription[]> {
  const [records, periods] = await Promise.all([
    recordsOf(store, names, now()),
    retentionPeriods(store),
  ])
  return names.flatMap((name) => {
    const record = records.get(name)
    if (record === undefined) return []
    const periodMs = periods.get(name) ?? 0
    const retention = {
      useRetentionPeriod: periodMs > 0,
      retentionDays: Math.ceil(periodMs / DAY_MS),
    }
    return [{ id: name, name, ...record, canWrite: may(caller, 'ingest', name), ...retention }]
  })
}

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
  const damage = store.damage.find((one) => one.dataset === dataset)
  // A dataset that is lost as a whole has its damage to show.
  const nothing = { dataset, events: 0, size: { compressed: 0, uncompressed: 0 }, times: undefined }
  const [statistics = damage && nothing] = await store.statistics(dataset)
  if (statistics === undefined) throw unknownDataset(dataset)
  const records = await recordsOf(store, [dataset], now())
  const retention = (await store.retention.get(dataset))?.body
  const info: DatasetInfo = {
    ...statsOf(statistics, { store, records }),
    damage: damage?.parts.map(damagedPart),
    retention,
    fields: fieldsOf(dataset, store).map(({ name, type }) => ({ name, type })),
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
