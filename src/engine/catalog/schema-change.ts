import { type FieldPath, fieldName, objectsAround, pathKey } from '../../wire/json/field-path.js'
import { columnTypes, KIND, typeOfKinds } from '../../wire/json/kinds.js'
import { type Dataset, type KnownPath, type PlacedColumn, schemaWith } from './dataset.js'
import { isPlainKey } from './extraction.js'
import { isMap, withinLimits } from './field-limit.js'
import {
  columnType,
  type FieldStatistics,
  isLowCardinality,
  type PathStatistics,
} from './field-statistics.js'
import type { NewColumn } from './table.js'
import { MAX_COLUMNS, type TypedColumn } from './typed-column.js'

/** A change of a dataset's schema that new events need. */
interface SchemaChange {
  readonly dataset: Dataset
  /** New or different paths, to be saved before any of the events is stored. */
  readonly paths: readonly KnownPath[]
  readonly columns: readonly NewColumn[]
  /** Columns whose type the values of their field no longer fit. */
  readonly retired: readonly TypedColumn[]
}

/**
 * A field that at least this share of the events have is frequent. A column costs every event about ten bytes of memory while it is
 * stored, and two on the disk before compression; the value of a rarer field costs less in the remainder.
 */
export const FREQUENT = 0.02
/**
 * In a dataset with this many columns, further fields need a larger share. With 128 columns of which most events have twelve, an ingest
 * took three times as long, and twice as much of the disk.
 */
const MANY_COLUMNS = 48
const FREQUENT_IN_MANY = 0.1

/** Returns the change that makes the schema fit events that are about to be stored. */
export function evolve(
  dataset: Dataset,
  statistics: FieldStatistics,
  /** The number of events that the statistics cover. */
  events: number,
): SchemaChange {
  const all = new Map(dataset.paths)
  for (const [key, { path }] of statistics.paths) {
    if (!all.has(key)) all.set(key, { path, kinds: 0 })
  }
  const paths = new Map(withinLimits(all))
  const conflicts = pathConflicts(paths)
  for (const [key, known] of paths) {
    const { path } = known
    const kinds = known.kinds | kindsAt(path, statistics) | conflicts(path)
    if (!isMap(known) && kinds !== known.kinds) paths.set(key, { path, kinds })
  }
  const columns = new Map(dataset.columns)
  const replaced: NewColumn[] = []
  const retired: PlacedColumn[] = []
  for (const { column, path } of dataset.typedPaths()) {
    // A path that is no longer a field is inside a map.
    const kinds = paths.get(pathKey(path))?.kinds ?? KIND.map
    if (columnTypes(kinds).includes(column.type)) continue
    const type = typeOfKinds(kinds)
    const { field } = column
    columns.delete(field)
    retired.push({ column, path })
    if (type !== undefined) {
      replaced.push({ column: { field, type }, path, isLowCardinality: false, former: column })
    }
  }
  const unseen = [...statistics.paths].flatMap(([key, one]) => (dataset.paths.has(key) ? [] : one))
  const count = columns.size + replaced.length + retired.length
  const frequent = frequentColumns(unseen, { events, dataset, paths, count })
  const added = [...replaced, ...frequent]
  for (const { column } of added) columns.set(column.field, column)
  return { ...schemaWith(dataset, { paths, columns, retired }), columns: added }
}

/** True when a dataset that has `count` columns may get another. Former columns count, since they are kept. */
export function hasRoom({ former }: Dataset, count: number): boolean {
  return count + former.length < MAX_COLUMNS
}

function kindsAt(path: FieldPath, statistics: FieldStatistics): number {
  const key = pathKey(path)
  const emptyObject = statistics.emptyObjects.has(key) ? KIND.other : 0
  return (statistics.paths.get(key)?.kinds ?? 0) | emptyObject
}

interface FrequentOptions {
  readonly events: number
  readonly dataset: Dataset
  /** The fields that may get a column, by key. */
  readonly paths: ReadonlyMap<string, KnownPath>
  /** The number of columns that the dataset has, without the former columns that it knows. */
  readonly count: number
}

/** Returns columns for the candidates that are frequent among events and may have one, the most frequent first. */
export function frequentColumns(
  candidates: readonly PathStatistics[],
  { events, dataset, paths, count }: FrequentOptions,
): readonly NewColumn[] {
  const added: NewColumn[] = []
  const frequent = candidates
    .filter((one) => one.count >= events * FREQUENT && isNameable(one.path))
    .sort((a, b) => b.count - a.count)
  for (const candidate of frequent) {
    const { path } = candidate
    const type = columnType(candidate, { kinds: paths.get(pathKey(path))?.kinds ?? 0, events })
    const column = type && { field: fieldName(path), type }
    // A former column of the same name holds the values of another path, which is in a map now.
    if (column === undefined || dataset.hasFormer(column)) continue
    const columns = count + added.length
    const least = columns < MANY_COLUMNS ? FREQUENT : FREQUENT_IN_MANY
    if (!hasRoom(dataset, columns) || candidate.count < events * least) break
    added.push({ column, path, isLowCardinality: isLowCardinality(candidate) })
  }
  return added
}

/** True for a path that can have a column. */
export function isNameable(path: FieldPath): boolean {
  return isPlainKey(fieldName(path)) && path.every(isPlainKey)
}

/**
 * Finds paths that are a prefix of another path or have the same field name. Returns a function that returns `KIND.other` for a field
 * that can't have a column whatever its values are, otherwise 0.
 */
function pathConflicts(paths: ReadonlyMap<string, KnownPath>): (path: FieldPath) => number {
  const all = [...paths.values()].map(({ path }) => path)
  const objects = objectsAround(all)
  const spellings = new Map<string, number>()
  for (const path of all) {
    const name = fieldName(path)
    spellings.set(name, (spellings.get(name) ?? 0) + 1)
  }
  return (path) => {
    const isGroup = objects.has(pathKey(path))
    const isSpeltTwice = (spellings.get(fieldName(path)) ?? 0) > 1
    return isGroup || isSpeltTwice ? KIND.other : 0
  }
}
