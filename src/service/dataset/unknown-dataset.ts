import type { Store } from '../../engine/store.js'
import { RefusedError } from '../refused-error.js'
import type { Call } from '../route.js'

export function unknownDataset(dataset: string): RefusedError {
  return new RefusedError('not-found', `There is no dataset \`${dataset}\`.`)
}

/** Returns the dataset in the path of a request. Throws a `RefusedError` when there is no such dataset. */
export function knownDataset({ dataset = '' }: Call['parameters'], store: Store): string {
  if (store.layout(dataset) === undefined) throw unknownDataset(dataset)
  return dataset
}
