import type { Engine } from '../engine.js'
import type { Dataset } from './dataset.js'

/** A dataset with the engine that stores it. `changed` replaces the current schema; only the holder of the dataset's lock may call it. */
export interface DatasetHandle {
  readonly name: string
  readonly engine: Engine
  current(): Dataset | undefined
  changed(dataset: Dataset): void
}
