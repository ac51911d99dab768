import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import type { Dataset } from './dataset.js'

/**
 * Returns the values of an event that are fields of a dataset, or may become fields. Of values that are not, it returns
 * only that an object stands in the place of a field.
 */
export function fieldLeaves(dataset: Dataset, leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.flatMap((leaf) => {
    if (dataset.knows(leaf.path)) return [leaf]
    if (leaf.form === 'empty-object' || dataset.isInMap(leaf.path)) return []
    return dataset.isFull ? around(dataset, leaf) : [leaf]
  })
}

/** The fields in whose place an object with this value stands. */
function around(dataset: Dataset, { path, text }: Leaf): readonly Leaf[] {
  return path
    .slice(0, -1)
    .map((_, depth) => path.slice(0, depth + 1))
    .filter((place) => dataset.knows(place))
    .map((place) => ({ path: place, kinds: KIND.other, form: 'object', text }))
}
