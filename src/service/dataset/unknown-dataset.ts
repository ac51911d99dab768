import { RefusedError } from '../refused-error.js'

/** The refusal of a request for an unknown dataset. */
export function unknownDataset(dataset: string): RefusedError {
  return new RefusedError('not-found', `There is no dataset \`${dataset}\`.`)
}
