import type { Documents } from '../../engine/catalog/documents.js'
import type { Store } from '../../engine/store.js'
import { parseDuration } from '../../wire/time/duration.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'

export interface DatasetRecord {
  readonly kind: string
  readonly description: string
  /** The name of the token that created the dataset; empty when unknown. */
  readonly who: string
  /** An RFC 3339 time. */
  readonly created: string
}

/** The kind of a dataset for which no kind was given. */
export const EVENTS = 'axiom:events:v1'

/** Returns the record of a dataset that is created at `now`, in nanoseconds since 1970. */
export function newRecord(who: string, now: bigint): DatasetRecord {
  return { kind: EVENTS, description: '', who, created: formatTimestamp(now) }
}

export async function saveRecord(
  { datasetRecords }: Store,
  dataset: string,
  record: DatasetRecord,
): Promise<void> {
  await datasetRecords.put({ id: dataset, body: JSON.stringify(record) })
}

/** Saves the record of datasets that were created by their first events, unless they already have a record. */
export async function saveFirstRecords(
  { datasetRecords }: Store,
  datasets: readonly string[],
  record: DatasetRecord,
): Promise<void> {
  if (datasets.length === 0) return
  const known = new Set((await datasetRecords.list()).map(({ id }) => id))
  const body = JSON.stringify(record)
  const missing = datasets.filter((id) => !known.has(id))
  await datasetRecords.put(...missing.map((id) => ({ id, body })))
}

/**
 * Returns the records of datasets. A dataset has no record when the process ended before it was saved. Such a dataset counts as
 * created when its first event arrived; this time is saved, because the event may be deleted later.
 */
export async function recordsOf(
  store: Store,
  datasets: readonly string[],
  now: bigint,
): Promise<ReadonlyMap<string, DatasetRecord>> {
  const saved = await store.datasetRecords.list()
  const records = new Map(saved.map(({ id, body }) => [id, decoded(body)]))
  const missing = datasets.filter((name) => !records.has(name))
  const arrivals = await store.firstArrivals(missing)
  for (const name of missing) {
    const record = newRecord('', arrivals.get(name) ?? now)
    // A record that can't be saved, for example on a full disk, is determined again next time.
    await saveRecord(store, name, record).catch(() => {})
    records.set(name, record)
  }
  return records
}

function decoded(body: string): DatasetRecord {
  return { ...newRecord('', 0n), ...(JSON.parse(body) as Partial<DatasetRecord>) }
}

/** Gives a renamed dataset the record and the retention setting of its old name. */
export async function moveDocuments(
  { datasetRecords, retention }: Store,
  from: string,
  to: string,
): Promise<void> {
  for (const documents of [retention, datasetRecords]) {
    const document = await documents.get(from)
    if (document === undefined) continue
    await documents.put({ id: to, body: document.body })
    await documents.remove(from)
  }
}

export async function clearDocument(documents: Documents, dataset: string): Promise<void> {
  if ((await documents.get(dataset)) !== undefined) await documents.remove(dataset)
}

/** Returns the maximum age of the events of each dataset that has a setting, in milliseconds. */
export async function retentionPeriods({ retention }: Store): Promise<ReadonlyMap<string, number>> {
  const all = await retention.list()
  return new Map(
    all.flatMap(({ id, body }) => {
      const nanoseconds = parseDuration(body)
      return nanoseconds === undefined ? [] : [[id, Number(nanoseconds) / 1e6]]
    }),
  )
}
