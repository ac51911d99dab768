import type { Engine } from '../engine.js'
import type { Dataset } from './dataset.js'

/** A dataset that may change while a batch is stored: nobody else writes to it meanwhile. */
export interface DatasetHandle {
  readonly name: string
  readonly engine: Engine
  current(): Dataset | undefined
  changed(dataset: Dataset): void
}
