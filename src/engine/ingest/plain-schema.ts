import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, fieldName, pathKey } from '../../wire/json/field-path.js'
import { KIND, type Kinds } from '../../wire/json/kinds.js'
import type { Dataset } from '../catalog/dataset.js'
import { isPlainKey } from '../catalog/extraction.js'
import type { TypedColumn } from '../catalog/typed-column.js'
import type { ScanColumns } from './scan/scan-columns.js'
import { scanBytes } from './scan/scan-lines.js'
import { PLAIN, type PlainLeaf, ScanSchema } from './scan/scan-schema.js'

/** A `Dataset` never changes; the schemas are by the options that they depend on. */
const cache = new WeakMap<Dataset, Map<string, ScanSchema | undefined>>()
/** The options are chosen by the client. */
const MAX_CACHED = 32

const TIME_KINDS = PLAIN.string | PLAIN.int | PLAIN.long | PLAIN.real | PLAIN.null

/**
 * Returns the schema of lines whose values, with those of the labels, are all in verified columns; undefined when no line
 * can be known to be one. It is identical for the same dataset and options.
 */
export function plainSchemaOf(
  dataset: Dataset,
  { timestampField, labels = '' }: EventOptions,
): ScanSchema | undefined {
  if (dataset.isFull) return undefined
  const schemas = cache.get(dataset) ?? new Map<string, ScanSchema | undefined>()
  cache.set(dataset, schemas)
  const key = JSON.stringify([timestampField, labels])
  if (!schemas.has(key)) {
    if (schemas.size >= MAX_CACHED) schemas.clear()
    const leaves = plainLeaves(dataset, timestampField)
    const columns = {
      times: timePaths(timestampField),
      columns: dataset
        .typedPaths()
        .map(({ column: { type }, known: { path } }) => ({ type, path })),
    }
    schemas.set(
      key,
      labels === ''
        ? new ScanSchema(leaves, columns)
        : schemaBesideLabels(leaves, { labels, columns }),
    )
  }
  return schemas.get(key)
}

/** Labels must be plain values, but no time. A field with the name of a label is repeated: no line with it is plain. */
function schemaBesideLabels(
  leaves: readonly PlainLeaf[],
  { labels, columns }: { readonly labels: string; readonly columns: ScanColumns },
): ScanSchema | undefined {
  const own = leaves.filter(({ kinds }) => (kinds & PLAIN.time) === 0)
  const { isPlain } = scanBytes(Buffer.from(`{${labels}}`), new ScanSchema(own))
  const names = new Set(Object.keys(JSON.parse(`{${labels}}`)))
  return isPlain
    ? new ScanSchema(
        leaves.filter(({ path: [key = ''] }) => !names.has(key)),
        columns,
      )
    : undefined
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

/** Returns the kinds of values that a column has as they are. A null is stored nowhere, so it needs no column. */
export function plainKinds(path: FieldPath, kinds: Kinds, column: TypedColumn | undefined): number {
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
