import { fieldName, pathKey } from '../../wire/json/field-path.js'
import { type Kinds, typeOfKinds } from '../../wire/json/kinds.js'
import { changedPaths, Dataset, type KnownPath } from '../catalog/dataset.js'
import { type FieldStatistics, isLowCardinality } from '../catalog/field-statistics.js'
import {
  frequentPaths,
  kindsAt,
  MAX_COLUMNS,
  pathConflicts,
  type SchemaChange,
} from '../catalog/schema-change.js'
import type { NewColumn } from '../catalog/table.js'
import type { TypedColumn } from '../catalog/typed-column.js'

// A field that was known before it proved frequent may hold anything in the events stored so far. Its
// column is on trial until all of them were read: inserts fill it and guard it, queries don't use it.

/** What a look at stored events says of the columns on trial. */
interface PendingOutcome {
  readonly dataset: Dataset
  readonly paths: readonly KnownPath[]
  readonly verified: readonly TypedColumn[]
  readonly retired: readonly TypedColumn[]
}

/** The dataset with columns on trial for known fields that proved frequent among its stored events. */
export function addPendingColumns(
  dataset: Dataset,
  statistics: FieldStatistics,
  events: number,
): SchemaChange {
  const paths = new Map(dataset.paths)
  const conflicts = pathConflicts(paths)
  const columns = new Map(dataset.columns)
  const added: NewColumn[] = []
  for (const candidate of frequentPaths([...statistics.paths.values()], events)) {
    const { path } = candidate
    const field = fieldName(path)
    const known = paths.get(pathKey(path))
    if (known === undefined || columns.has(field)) continue
    const kinds =
      known.kinds | candidate.kinds | kindsAt(path, statistics) | conflicts.kindsAt(path)
    const type = typeOfKinds(kinds)
    if (columns.size >= MAX_COLUMNS || type === undefined) continue
    paths.set(pathKey(path), { path, kinds })
    const column: TypedColumn = { field, type, isPending: true }
    columns.set(field, column)
    added.push({ column, path, isLowCardinality: isLowCardinality(candidate) })
  }
  return {
    dataset: new Dataset(dataset.name, paths, columns),
    paths: changedPaths(dataset.paths, paths),
    columns: added,
    retired: [],
  }
}

/**
 * The dataset after events were read in which the fields on trial hold these kinds, by path: what does
 * not fit is retired. With `complete` they were all the events there are, and what fits is proven.
 */
export function applyKinds(
  dataset: Dataset,
  found: ReadonlyMap<string, Kinds>,
  options: { readonly complete: boolean },
): PendingOutcome {
  const paths = new Map(dataset.paths)
  const columns = new Map(dataset.columns)
  const retired: TypedColumn[] = []
  const verified: TypedColumn[] = []
  for (const { column, known } of dataset.pendingPaths()) {
    const { field, type } = column
    const kinds = known.kinds | (found.get(pathKey(known.path)) ?? 0)
    if (kinds !== known.kinds) paths.set(pathKey(known.path), { path: known.path, kinds })
    if (typeOfKinds(kinds) !== type) {
      columns.delete(field)
      retired.push(column)
    } else if (options.complete) {
      columns.set(field, { field, type })
      verified.push(column)
    }
  }
  return {
    dataset: new Dataset(dataset.name, paths, columns),
    paths: changedPaths(dataset.paths, paths),
    verified,
    retired,
  }
}
