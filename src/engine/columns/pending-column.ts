import { fieldName, pathKey } from '../../wire/json/field-path.js'
import { KIND, type Kinds, typeOfKinds } from '../../wire/json/kinds.js'
import {
  type Dataset,
  type KnownPath,
  type Paths,
  type PlacedColumn,
  schemaWith,
  type TypedPath,
} from '../catalog/dataset.js'
import { type FieldStatistics, isLowCardinality } from '../catalog/field-statistics.js'
import {
  frequentPaths,
  hasRoom,
  isNameable,
  kindsAt,
  mayAdd,
  pathConflicts,
  type SchemaChange,
} from '../catalog/schema-change.js'
import type { NewColumn } from '../catalog/table.js'
import type { TypedColumn } from '../catalog/typed-column.js'

// A field that was known before it became frequent may have any value in the stored events. Its column is pending until
// all of them are read: inserts fill and check it, queries don't use it.

/** Returns the change that adds pending columns for the known fields that are frequent in stored events. */
export function addPendingColumns(
  dataset: Dataset,
  statistics: FieldStatistics,
  events: number,
): SchemaChange {
  const candidates = columnCandidates(dataset)
  const paths = new Map(dataset.paths)
  const columns = new Map(dataset.columns)
  const added: NewColumn[] = []
  for (const frequent of frequentPaths([...statistics.paths.values()], events)) {
    const { path } = frequent
    const key = pathKey(path)
    const field = fieldName(path)
    const known = candidates.get(key)
    if (known === undefined || columns.has(field)) continue
    const kinds = known.kinds | frequent.kinds | kindsAt(path, statistics)
    // A field whose kinds have no type is not a candidate again.
    if (kinds !== known.kinds) paths.set(key, { path, kinds })
    const type = typeOfKinds(kinds)
    if (type === undefined) continue
    const column: TypedColumn = { field, type, isPending: true }
    if (!mayAdd(column, dataset, columns.size)) continue
    columns.set(field, column)
    added.push({ column, path, isLowCardinality: isLowCardinality(frequent) })
  }
  return { ...schemaWith(dataset, { paths, columns, retired: [] }), columns: added }
}

/** True when some known field would get a column if it became frequent. */
export function hasColumnCandidates(dataset: Dataset): boolean {
  return hasRoom(dataset, dataset.columns.size) && columnCandidates(dataset).size > 0
}

/** Returns the known paths, by key, that have no column but may get one. */
function columnCandidates(dataset: Dataset): Paths {
  const { paths, columns, former } = dataset
  const conflicts = pathConflicts(paths)
  // Verification reads the text of events, and the values of a former column need not be in it.
  const hasFormer = new Set(
    former.flatMap(({ column }) => (column.isPending ? [] : [column.field])),
  )
  const isCandidate = ({ path, kinds }: KnownPath): boolean => {
    const field = fieldName(path)
    const mayHaveType = (kinds & ~KIND.complete) === 0 || typeOfKinds(kinds) !== undefined
    const isFree = !columns.has(field) && !hasFormer.has(field)
    return mayHaveType && isFree && isNameable(path) && conflicts(path) === 0
  }
  return new Map([...paths].filter(([, known]) => isCandidate(known)))
}

/**
 * Applies the kinds of value, by path, that stored events have in the fields of pending columns. Columns that don't fit are
 * retired; with `complete`, which means that all events were read, the others are verified.
 */
export function applyKinds(
  dataset: Dataset,
  found: ReadonlyMap<string, Kinds>,
  options: { readonly complete: boolean },
) {
  const paths = new Map(dataset.paths)
  const columns = new Map(dataset.columns)
  const retired: PlacedColumn[] = []
  const verified: TypedPath[] = []
  for (const { column, known } of dataset.pendingPaths()) {
    const { field, type } = column
    const kinds = known.kinds | (found.get(pathKey(known.path)) ?? 0)
    if (kinds !== known.kinds) paths.set(pathKey(known.path), { path: known.path, kinds })
    if (typeOfKinds(kinds) !== type) {
      columns.delete(field)
      retired.push({ column, path: known.path })
    } else if (options.complete) {
      columns.set(field, { field, type })
      verified.push({ column, known })
    }
  }
  return { ...schemaWith(dataset, { paths, columns, retired }), verified }
}
