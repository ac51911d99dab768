import { sql, text } from '../../sql/sql.js'
import { hasPaths, MARK } from '../catalog/catalog.js'
import type { Dataset } from '../catalog/dataset.js'
import { deletePaths } from '../catalog/deletion.js'
import type { SavedOutcomes } from '../deduplication/saved-outcomes.js'
import type { Engine } from '../engine.js'

/** The result of renaming a dataset: `exists` means that there is a dataset of the new name. */
export type RenameOutcome = 'renamed' | 'unknown' | 'exists'

export interface RenameContext {
  /** The engine, with exclusive access to the dataset. */
  readonly source: Engine
  /** The engine, with exclusive access to the new name. */
  readonly target: Engine
  readonly savedOutcomes: SavedOutcomes
}

/**
 * Gives a dataset a new name, with its fields and the outcomes of its batches. Renaming the table is atomic: without it, the
 * copies made before have no effect. `deleteDescription` deletes the originals.
 */
export async function renameDataset(
  { name }: Dataset,
  to: string,
  { source, target, savedOutcomes }: RenameContext,
): Promise<void> {
  // There may be copies of a rename that was interrupted.
  await deletePaths(source, to)
  await source.run(sql`
    INSERT INTO evq.path (dataset, path, kinds)
    SELECT ${text(to)}, path, kinds FROM evq.path WHERE dataset = ${text(name)}
    UNION ALL SELECT arrayJoin([${text(name)}, ${text(to)}]), ${text(MARK)}, 0`)
  // Copied after the paths and the mark, which show that there may be outcomes: see `deleteLeftovers`.
  await savedOutcomes.copy(name, to)
  await target.change({ kind: 'rename', dataset: name, to })
}

/** Deletes the data about a dataset that was renamed. */
export async function deleteDescription(
  engine: Engine,
  name: string,
  savedOutcomes: SavedOutcomes,
): Promise<void> {
  await savedOutcomes.forget(name)
  await deletePaths(engine, name)
}

/**
 * Deletes the data that a rename or a deletion has left when it was interrupted: a new dataset of this name must not have fields
 * and outcomes of another one. There must be no dataset of this name, and none may be created meanwhile.
 */
export async function deleteLeftovers(
  engine: Engine,
  name: string,
  savedOutcomes: SavedOutcomes,
): Promise<void> {
  if (await hasPaths(engine, name)) await deleteDescription(engine, name, savedOutcomes)
}
