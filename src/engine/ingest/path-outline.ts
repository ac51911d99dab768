import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Dataset } from '../catalog/dataset.js'

/** The objects that events of a dataset are made of, by where they stand; the event itself is the first. */
export interface Outline {
  readonly groups: readonly OutlineGroup[]
  readonly leaves: readonly FieldPath[]
  /** The keys of their paths. */
  readonly leafKeys: ReadonlySet<string>
  /** The maps among them: objects in which anything may stand. */
  readonly maps: readonly FieldPath[]
  /** Anything may stand anywhere. */
  readonly isFull: boolean
}

interface OutlineGroup {
  readonly path: FieldPath
  readonly keys: readonly string[]
  /** Values that are no objects stand there too. */
  readonly isLeaf: boolean
}

/** The outline of a dataset's events; `others` are paths that are no fields. */
export function outlineOf(dataset: Dataset, others: readonly FieldPath[]): Outline {
  const { isFull, maps } = dataset
  const known = [...dataset.paths.values()].map(({ path }) => path)
  const leaves = [...known.filter(({ length }) => length > 0), ...others]
  const groups = new Map<string, { path: FieldPath; keys: Set<string> }>()
  groups.set(pathKey([]), { path: [], keys: new Set() })
  for (const leaf of leaves) {
    for (const [depth, key] of leaf.entries()) {
      const path = leaf.slice(0, depth)
      const group = groups.get(pathKey(path)) ?? { path, keys: new Set() }
      group.keys.add(key)
      groups.set(pathKey(path), group)
    }
  }
  const leafKeys = new Set(leaves.map(pathKey))
  return {
    groups: [...groups.values()].map(({ path, keys }) => ({
      path,
      keys: [...keys],
      isLeaf: leafKeys.has(pathKey(path)),
    })),
    leaves,
    leafKeys,
    maps: leaves.filter((leaf) => maps.has(pathKey(leaf))),
    isFull,
  }
}
