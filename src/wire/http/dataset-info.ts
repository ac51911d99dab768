import {
  count,
  decodeResponse,
  flag,
  listOf,
  listOfValid,
  object,
  optional,
  required,
  text,
  time,
} from '../shape/response.js'
import { named, type ValueOf } from '../shape/shape.js'
import { FIELD_META } from './tabular-result.js'

const STATS_MEMBERS = {
  name: required(text()),
  numEvents: required(count()),
  numFields: required(count()),
  inputBytes: optional(count('The size of the stored events before compression.')),
  compressedBytes: required(count('The size on disk.')),
  minTime: optional(time('The time of the first event; absent for an empty dataset.')),
  maxTime: optional(time('The time of the last event; absent for an empty dataset.')),
  created: optional(time('The time at which the dataset was created.')),
}

export const DATASET_STATS = object(STATS_MEMBERS)
export type DatasetStats = ValueOf<typeof DATASET_STATS>

export const DAMAGED_PART = object({
  name: text('The name of the part in the engine.'),
  state: text(
    '`lost` when its events are missing from results, `unreadable` when queries that read them fail.',
  ),
  events: optional(count('The number of its events; absent when unknown.')),
})
export type DamagedPart = ValueOf<typeof DAMAGED_PART>

const DAMAGED_PARTS = listOf(
  named('DamagedPart', DAMAGED_PART),
  'The damaged parts; an empty list while they are being determined.',
)

export const DAMAGE = object({
  dataset: optional(text('The dataset; absent for the metadata of all datasets.')),
  parts: DAMAGED_PARTS,
})
export type Damage = ValueOf<typeof DAMAGE>

export const ACCEPTED_LOSS = object({
  parts: listOf(named('DamagedPart', DAMAGED_PART), 'The parts whose events are lost.'),
  repaired: listOf(
    named('DamagedPart', DAMAGED_PART),
    'The parts that were repaired; all of their events can be read.',
  ),
  folder: optional(
    text('The folder with the remains of the damaged files; absent when nothing remains.'),
  ),
})
export type AcceptedLoss = ValueOf<typeof ACCEPTED_LOSS>

export const DATASET_INFO = object({
  ...STATS_MEMBERS,
  damage: optional(DAMAGED_PARTS),
  retention: optional(text('The maximum age of events, if it was set for the dataset.')),
  fields: required(listOf(object({ name: text(), type: text() }))),
})
export type DatasetInfo = ValueOf<typeof DATASET_INFO>

/** A dataset. Earlier versions send only `id` and `name`. */
export const DATASET = object({
  id: text('The same as the name.'),
  name: required(text()),
  kind: optional(text('The kind of its events, such as `axiom:events:v1`.')),
  description: optional(text()),
  who: optional(text('The name of the token that created the dataset; empty when unknown.')),
  created: optional(time('The time at which the dataset was created.')),
  canWrite: optional(flag('True when the token allows ingest into the dataset.')),
  useRetentionPeriod: optional(flag('True when the dataset has a maximum age of events.')),
  retentionDays: optional(count('The maximum age in days, rounded up; 0 without a maximum age.')),
})
export type DatasetDescription = ValueOf<typeof DATASET>

/** The fields of one dataset, in the response with the fields of all datasets. */
export const DATASET_FIELDS = object({
  datasetName: text(),
  fields: listOf(named('FieldMeta', FIELD_META)),
})

export const TRIMMED = object({ deleted: required(count('The number of deleted events.')) })

export const RENAMED = object({
  tokens: required(count('The number of tokens that named the dataset.')),
})

export const MAX_REMOVED_BATCHES = 1_000

export const BATCHES_REMOVED = object({
  removed: required(
    count('The number of events that the batches had, also in a repeated request.'),
  ),
})

/** Decodes the names in the response of `GET /v1/datasets`; datasets without a name are ignored. */
export function decodeDatasetNames(text: string): readonly string[] {
  return decodeResponse(text, NAMES).map(({ name }) => name)
}

const NAMES = required(listOfValid(DATASET))
