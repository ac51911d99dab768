import { MalformedAnswerError } from './malformed-response.js'
import { answerJson } from './tabular-json.js'

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
  const value = answerJson(text)
  if (!Array.isArray(value)) throw new MalformedAnswerError('it is no list of datasets')
  return value.map(stats)
}

/** Reads an answer of `GET /v1/datasets/<dataset>/info`. */
export function decodeDatasetInfo(text: string): DatasetInfo {
  const value = answerJson(text)
  const { fields } = stats(value) as Partial<DatasetInfo>
  if (!Array.isArray(fields)) throw new MalformedAnswerError('the dataset has no list of `fields`')
  return value as DatasetInfo
}

/** Reads an answer of `POST /v1/datasets/<dataset>/trim`: how many events were deleted. */
export function decodeTrimmed(text: string): number {
  const { deleted } = (answerJson(text) ?? {}) as { readonly deleted?: unknown }
  if (typeof deleted === 'number') return deleted
  throw new MalformedAnswerError('it does not tell how many events were `deleted`')
}

function stats(value: unknown): DatasetStats {
  const record = value as Partial<DatasetStats> | null
  const { name, numEvents, numFields, compressedBytes } = record ?? {}
  const numbers = [numEvents, numFields, compressedBytes]
  if (typeof name === 'string' && numbers.every((number) => typeof number === 'number')) {
    return value as DatasetStats
  }
  throw new MalformedAnswerError('it does not tell what a dataset holds')
}
