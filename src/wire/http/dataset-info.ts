import { MalformedResponseError } from './malformed-response.js'
import { parseResponseJson } from './response-json.js'

/** What a dataset holds. */
export interface DatasetStats {
  readonly name: string
  readonly numEvents: number
  readonly numFields: number
  /** What it takes on the disk. */
  readonly compressedBytes: number
  /** The times of its first and its last event; left out while there is none. */
  readonly minTime?: string
  readonly maxTime?: string
}

/** The same, with its fields and their types. */
export interface DatasetInfo extends DatasetStats {
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

/** Reads an answer of `GET /v1/datasets/_stats`. */
export function decodeDatasetStats(text: string): readonly DatasetStats[] {
  const value = parseResponseJson(text)
  if (!Array.isArray(value)) throw new MalformedResponseError('it is no list of datasets')
  return value.map(stats)
}

/** Reads an answer of `GET /v1/datasets/<dataset>/info`. */
export function decodeDatasetInfo(text: string): DatasetInfo {
  const value = parseResponseJson(text)
  const { fields } = stats(value) as Partial<DatasetInfo>
  if (!Array.isArray(fields))
    throw new MalformedResponseError('the dataset has no list of `fields`')
  return value as DatasetInfo
}

/** Reads an answer of `POST /v1/datasets/<dataset>/trim`: how many events were deleted. */
export function decodeTrimmed(text: string): number {
  const { deleted } = (parseResponseJson(text) ?? {}) as { readonly deleted?: unknown }
  if (typeof deleted === 'number') return deleted
  throw new MalformedResponseError('it does not tell how many events were `deleted`')
}

function stats(value: unknown): DatasetStats {
  const record = value as Partial<DatasetStats> | null
  const { name, numEvents, numFields, compressedBytes } = record ?? {}
  const numbers = [numEvents, numFields, compressedBytes]
  if (typeof name === 'string' && numbers.every((number) => typeof number === 'number')) {
    return value as DatasetStats
  }
  throw new MalformedResponseError('it does not tell what a dataset holds')
}

/** The names in an answer of `GET /v1/datasets`: a list of records, of which only the name matters here. */
export function decodeDatasetNames(text: string): readonly string[] {
  const value = parseResponseJson(text)
  if (!Array.isArray(value)) throw new MalformedResponseError('it is no list of datasets')
  return value.flatMap((record: { readonly name?: unknown } | null) =>
    typeof record?.name === 'string' ? [record.name] : [],
  )
}
