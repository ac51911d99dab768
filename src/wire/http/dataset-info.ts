import { MalformedResponseError, parseResponseJson } from './response-json.js'

/** The statistics of a dataset. */
export interface DatasetStats {
  readonly name: string
  readonly numEvents: number
  readonly numFields: number
  /** Size on disk. */
  readonly compressedBytes: number
  /** The times of the first and the last event; missing while there is none. */
  readonly minTime?: string
  readonly maxTime?: string
}

/** The statistics and the fields of a dataset. */
export interface DatasetInfo extends DatasetStats {
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

/** Decodes the response of `GET /v1/datasets/_stats`. */
export function decodeDatasetStats(text: string): readonly DatasetStats[] {
  const value = parseResponseJson(text)
  if (!Array.isArray(value)) throw new MalformedResponseError('it is not a list of datasets')
  return value.map(stats)
}

/** Decodes the response of `GET /v1/datasets/<dataset>/info`. */
export function decodeDatasetInfo(text: string): DatasetInfo {
  const value = parseResponseJson(text)
  const { fields } = stats(value) as Partial<DatasetInfo>
  if (!Array.isArray(fields))
    throw new MalformedResponseError('the dataset has no list of `fields`')
  return value as DatasetInfo
}

/** Decodes the response of `POST /v1/datasets/<dataset>/trim`; returns the number of deleted events. */
export function decodeTrimmed(text: string): number {
  const { deleted } = (parseResponseJson(text) ?? {}) as { readonly deleted?: unknown }
  if (typeof deleted === 'number') return deleted
  throw new MalformedResponseError('it has no number `deleted`')
}

/** The most batches that a request removes. */
export const MAX_REMOVED_BATCHES = 1_000

/** Decodes the response of `POST /v1/datasets/<dataset>/_batches/remove`; returns the number of events that the batches had. */
export function decodeRemovedBatches(text: string): number {
  const { removed } = (parseResponseJson(text) ?? {}) as { readonly removed?: unknown }
  if (typeof removed === 'number') return removed
  throw new MalformedResponseError('it has no number `removed`')
}

function stats(value: unknown): DatasetStats {
  const record = value as Partial<DatasetStats> | null
  const { name, numEvents, numFields, compressedBytes } = record ?? {}
  const numbers = [numEvents, numFields, compressedBytes]
  if (typeof name === 'string' && numbers.every((number) => typeof number === 'number')) {
    return value as DatasetStats
  }
  throw new MalformedResponseError('it has no statistics of a dataset')
}

/** Decodes the names in the response of `GET /v1/datasets`; other members are ignored. */
export function decodeDatasetNames(text: string): readonly string[] {
  const value = parseResponseJson(text)
  if (!Array.isArray(value)) throw new MalformedResponseError('it is not a list of datasets')
  return value.flatMap((record: { readonly name?: unknown } | null) =>
    typeof record?.name === 'string' ? [record.name] : [],
  )
}
