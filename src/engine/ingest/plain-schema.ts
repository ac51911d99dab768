import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, fieldName, pathKey } from '../../wire/json/field-path.js'
import { KIND, type Kinds } from '../../wire/json/kinds.js'
import type { Dataset } from '../catalog/dataset.js'
import type { TypedColumn } from '../catalog/typed-column.js'
import { isPlainKey } from './extraction.js'
import { PLAIN, type PlainLeaf, ScanSchema } from './scan/scan-schema.js'

/** All lines of a batch are plain events of a schema. */
export interface PlainScan {
  readonly schema: ScanSchema
  /** True when the time of each event is null or a string that the engine reads by itself. */
  readonly hasEngineTimes: boolean
}

/** A `Dataset` never changes; the schemas are by timestamp field. */
const cache = new WeakMap<Dataset, Map<string, ScanSchema>>()
/** The timestamp field is chosen by the client. */
const MAX_CACHED = 8

const TIME_KINDS = PLAIN.string | PLAIN.int | PLAIN.long | PLAIN.real | PLAIN.null

/**
 * Returns the schema of events whose values are all in verified columns; undefined when no event can be known
 * to be one. It is identical for the same dataset and timestamp field.
 */
export function plainSchemaOf(
  dataset: Dataset,
  { timestampField, labels }: EventOptions,
): ScanSchema | undefined {
  // Labels are part of the events, but not of their lines.
  if (dataset.isFull || labels !== undefined) return undefined
  const schemas = cache.get(dataset) ?? new Map<string, ScanSchema>()
  cache.set(dataset, schemas)
  const found = schemas.get(timestampField)
  if (found !== undefined) return found
  if (schemas.size >= MAX_CACHED) schemas.clear()
  const schema = new ScanSchema(plainLeaves(dataset, timestampField))
  schemas.set(timestampField, schema)
  return schema
}

/** Returns the result for several files; undefined when one of them has other lines or was scanned with another schema. */
export function plainScanOf(
  loads: readonly { readonly jobs: readonly { readonly plain: PlainScan | undefined }[] }[],
  schema: ScanSchema | undefined,
): PlainScan | undefined {
  const scans = loads.flatMap(({ jobs }) => jobs.map(({ plain }) => plain))
  if (schema === undefined || scans.some((scan) => scan?.schema !== schema)) return undefined
  return { schema, hasEngineTimes: scans.every((scan) => scan?.hasEngineTimes === true) }
}

function plainLeaves(dataset: Dataset, timestampField: string): readonly PlainLeaf[] {
  const times = timePaths(timestampField)
  const leaves = [...dataset.paths.values()]
    .filter(({ path }) => path.length > 0)
    .map(({ path, kinds }): PlainLeaf => {
      const column = dataset.columns.get(fieldName(path))
      return { path, kinds: plainKinds(path, kinds, column) | (isIn(times, path) ? PLAIN.time : 0) }
    })
  // The timestamp is not a field, but `_time` is a known path.
  const [time] = times
  if (timestampField === '_time' && time !== undefined && !dataset.knows(time)) {
    leaves.push({ path: time, kinds: TIME_KINDS | PLAIN.time })
  }
  return leaves
}

/** A null is stored nowhere, so it needs no column. */
function plainKinds(path: FieldPath, kinds: Kinds, column: TypedColumn | undefined): number {
  if (column === undefined || column.isPending || !path.every(isPlainKey)) return PLAIN.null
  switch (column.type) {
    case 'int':
      return PLAIN.int | PLAIN.long | PLAIN.null
    case 'real':
      return PLAIN.real | ((kinds & KIND.int) === 0 ? 0 : PLAIN.int) | PLAIN.null
    case 'string':
      return PLAIN.string | PLAIN.null
    case 'bool':
      return PLAIN.bool | PLAIN.null
    default:
      return column.type satisfies never
  }
}

function isIn(paths: readonly FieldPath[], path: FieldPath): boolean {
  return paths.some((one) => pathKey(one) === pathKey(path))
}
