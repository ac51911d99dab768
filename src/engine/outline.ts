import { type FieldPath, pathKey } from '../wire/field-path.js'

/** The objects that events of a dataset are made of, by where they stand; the event itself is the first. */
export interface Outline {
  readonly groups: readonly OutlineGroup[]
  readonly leaves: readonly FieldPath[]
  /** The keys of their paths. */
  readonly leafKeys: ReadonlySet<string>
}

interface OutlineGroup {
  readonly path: FieldPath
  readonly keys: readonly string[]
  /** Values that are no objects stand there too. */
  readonly isLeaf: boolean
}

/** The outline of events whose values stand at these paths. */
export function outlineOf(leaves: readonly FieldPath[]): Outline {
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
  }
}
