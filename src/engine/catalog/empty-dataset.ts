import type { Engine } from '../engine.js'
import { Dataset } from './dataset.js'
import { createTable } from './table.js'
import { newTokenIndexes, withTokenIndexes } from './token-indexes.js'

/** Returns the schema of a dataset that has no fields yet. */
export function withoutFields(name: string): Dataset {
  return new Dataset(name, { paths: new Map(), columns: new Map() })
}

/** Creates the table of a dataset without events. Its columns come with its first events. */
export async function createEmptyDataset(engine: Engine, name: string): Promise<Dataset> {
  const dataset = withoutFields(name)
  const tokenIndexes = newTokenIndexes(dataset, [])
  await engine.change(createTable(name, { columns: [], tokenIndexes, events: 0, engine }))
  return withTokenIndexes(dataset, tokenIndexes)
}
