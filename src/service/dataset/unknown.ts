import { RefusedError } from '../refused-error.js'

/** The refusal of a request about a dataset that there is not. */
export function unknownDataset(dataset: string): RefusedError {
  return new RefusedError('not-found', `There is no dataset \`${dataset}\`.`)
}
