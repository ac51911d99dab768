import { fieldName, pathKey } from '../../wire/json/field-path.js'
import { type Kinds, typeOfKinds } from '../../wire/json/kinds.js'
import { changed, Dataset, type KnownPath } from '../catalog/dataset.js'
import { hasFewTexts, type Survey } from '../catalog/field-statistics.js'
import {
  foundKinds,
  frequent,
  type Growth,
  MAX_COLUMNS,
  shapeOf,
} from '../catalog/schema-change.js'
import type { NewColumn } from '../catalog/table.js'
import type { HotColumn } from '../catalog/typed-column.js'

// A field that was known before it proved frequent may hold anything in the events stored so far. Its
// column is on trial until all of them were read: inserts fill it and guard it, queries don't use it.

/** What a look at stored events says of the columns on trial. */
interface Settlement {
  readonly dataset: Dataset
  readonly paths: readonly KnownPath[]
  readonly proven: readonly HotColumn[]
  readonly retired: readonly HotColumn[]
}

/** The dataset with columns on trial for known fields that proved frequent among its stored events. */
export function promote(dataset: Dataset, survey: Survey, events: number): Growth {
  const paths = new Map(dataset.paths)
  const shape = shapeOf(paths)
  const columns = new Map(dataset.columns)
  const added: NewColumn[] = []
  for (const finding of frequent([...survey.findings.values()], events)) {
    const { path } = finding
    const field = fieldName(path)
    const known = paths.get(pathKey(path))
    if (known === undefined || columns.has(field)) continue
    const kinds = known.kinds | finding.kinds | foundKinds(path, survey) | shape.trouble(path)
    const type = typeOfKinds(kinds)
    if (columns.size >= MAX_COLUMNS || type === undefined) continue
    paths.set(pathKey(path), { path, kinds })
    const column: HotColumn = { field, type, trial: true }
    columns.set(field, column)
    added.push({ column, path, fewValues: hasFewTexts(finding) })
  }
  return {
    dataset: new Dataset(dataset.name, paths, columns),
    paths: changed(dataset.paths, paths),
    columns: added,
    retired: [],
  }
}

/**
 * The dataset after events were read in which the fields on trial hold these kinds, by path: what does
 * not fit is retired. With `complete` they were all the events there are, and what fits is proven.
 */
export function settle(
  dataset: Dataset,
  found: ReadonlyMap<string, Kinds>,
  options: { readonly complete: boolean },
): Settlement {
  const paths = new Map(dataset.paths)
  const columns = new Map(dataset.columns)
  const retired: HotColumn[] = []
  const proven: HotColumn[] = []
  for (const { column, known } of dataset.trials()) {
    const { field, type } = column
    const kinds = known.kinds | (found.get(pathKey(known.path)) ?? 0)
    if (kinds !== known.kinds) paths.set(pathKey(known.path), { path: known.path, kinds })
    if (typeOfKinds(kinds) !== type) {
      columns.delete(field)
      retired.push(column)
    } else if (options.complete) {
      columns.set(field, { field, type })
      proven.push(column)
    }
  }
  return {
    dataset: new Dataset(dataset.name, paths, columns),
    paths: changed(dataset.paths, paths),
    proven,
    retired,
  }
}
