import { identifier, sql } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import { MAX_FIELDS } from '../../wire/limits.js'
import { savePaths } from '../catalog/catalog.js'
import { tableOf } from '../catalog/database.js'
import type { Dataset, DatasetHandle } from '../catalog/dataset.js'
import { deleteSurplusPaths } from '../catalog/deletion.js'
import { isMap } from '../catalog/field-limit.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve } from '../catalog/schema-change.js'
import { addColumns, retireColumns } from '../catalog/table.js'
import { columnName } from '../catalog/typed-column.js'
import type { Engine } from '../engine.js'
import { numberIn } from '../response.js'

interface SchemaGrowth {
  readonly statistics: FieldStatistics
  /** The number of events that they cover. */
  readonly events: number
  /** True when new fields that are frequent get columns. */
  readonly hasNewColumns: boolean
}

/**
 * Adds the fields and columns that events need to a dataset that is locked by the caller; resolves with false when it has them all.
 */
export async function growSchema(
  { engine, name, current, changed }: DatasetHandle,
  { statistics, events, hasNewColumns }: SchemaGrowth,
): Promise<boolean> {
  const dataset = current()
  if (dataset === undefined) return false
  await markLongIntegers(engine, dataset, statistics)
  const change = evolve(dataset, statistics, hasNewColumns ? events : Number.POSITIVE_INFINITY)
  if (change.paths.length === 0) return false
  await savePaths(engine, name, change.paths)
  const { columns, retired } = change
  // Before columns are retired, so that queries which read them without their defaults can find out afterwards.
  changed(await addColumns(engine, change.dataset, { columns }))
  if (retired.length > 0) {
    await engine.change(retireColumns(name, retired)).catch((error: unknown) => {
      changed(dataset)
      throw error
    })
  }
  if (change.paths.some(isMap)) await deleteSurplusPaths(engine, change.dataset)
  return true
}

/**
 * Adds fields to a dataset that is locked by the caller, before any event has a value there. `leaves` are the leaves of an event
 * with all of these fields.
 */
export async function addFields(target: DatasetHandle, leaves: readonly Leaf[]): Promise<void> {
  const dataset = target.current()
  if (dataset === undefined) return
  const missing = missingLeaves(dataset, leaves)
  if (missing.length === 0) return
  const statistics = new FieldStatistics()
  statistics.add(missing)
  await growSchema(target, { statistics, events: 1, hasNewColumns: true })
}

/** Returns the leaves that can become fields: not where events have objects, and none when they would exceed the field limit. */
export function missingLeaves(dataset: Dataset, leaves: readonly Leaf[]): readonly Leaf[] {
  const { paths } = dataset
  if (dataset.isFull || paths.size + leaves.length > MAX_FIELDS) return []
  const known = [...paths.values()]
  const isObject = (outer: FieldPath): boolean =>
    known.some(({ path }) => path.length > outer.length && outer.every((key, i) => key === path[i]))
  return leaves.filter(
    ({ path }) => !dataset.knows(path) && !dataset.isInMap(path) && !isObject(path),
  )
}

/** An integer column may become a float column only when each of its values is exact as a double. */
async function markLongIntegers(
  engine: Engine,
  dataset: Dataset,
  statistics: FieldStatistics,
): Promise<void> {
  for (const { column, path } of dataset.typedPaths()) {
    const finding = statistics.paths.get(pathKey(path))
    if (column.type !== 'int' || finding === undefined || (finding.kinds & KIND.real) === 0)
      continue
    const result = await engine.ask(sql`
      SELECT count() AS n FROM ${tableOf(dataset.name)}
      WHERE ${identifier(columnName(column))} NOT BETWEEN -9007199254740992 AND 9007199254740992`)
    if (numberIn(result, 'n') > 0) finding.kinds |= KIND.long
  }
}
