import { type FieldPath, pathKey, ROOT } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import { MAX_FIELDS, MAX_OBJECT_FIELDS } from '../../wire/limits.js'
import type { Dataset, KnownPath, Paths } from './dataset.js'

// Every field costs time in each query that names all fields, and in each insert. Keys that contain ids would add fields
// without limit: an object with many keys becomes one dynamic field, a map.

/**
 * Returns the paths that fit into the limits. Wide objects become maps, which replace all paths inside them. Of more
 * than `MAX_FIELDS` paths the first are kept, and the whole event becomes a map.
 */
export function withinLimits(paths: Paths): Paths {
  const root = treeOf(paths)
  const isFull = paths.has(ROOT_KEY)
  collapse(root)
  const kept = new Map<string, KnownPath>()
  for (const known of paths.values()) {
    if (known.path.length === 0) continue
    const map = outermostMap(root, known.path)
    const path = map?.path ?? known.path
    const key = pathKey(path)
    if (kept.has(key)) continue
    if (kept.size >= MAX_FIELDS) return kept.set(ROOT_KEY, WHOLE_EVENT)
    kept.set(key, map === undefined ? known : mapAt(path, paths.get(key)))
  }
  return isFull ? kept.set(ROOT_KEY, WHOLE_EVENT) : kept
}

const ROOT_KEY = pathKey(ROOT)
const WHOLE_EVENT: KnownPath = { path: ROOT, kinds: KIND.map }

export function isMap({ kinds }: KnownPath): boolean {
  return (kinds & KIND.map) !== 0
}

function mapAt(path: FieldPath, known: KnownPath | undefined): KnownPath {
  if (known !== undefined && isMap(known)) return known
  return { path, kinds: (known?.kinds ?? 0) | KIND.map }
}

interface PathNode {
  readonly path: FieldPath
  readonly members: Map<string, PathNode>
  isField: boolean
  isMap: boolean
}

function treeOf(paths: Paths): PathNode {
  const root = place(ROOT)
  for (const known of paths.values()) {
    let at = root
    for (const [depth, key] of known.path.entries()) {
      const next = at.members.get(key) ?? place(known.path.slice(0, depth + 1))
      at.members.set(key, next)
      at = next
    }
    at.isField = true
    at.isMap = isMap(known)
  }
  return root
}

function place(path: FieldPath): PathNode {
  return { path, members: new Map(), isField: false, isMap: false }
}

/** Makes wide objects maps, the innermost first; returns the number of fields that are left. */
function collapse(at: PathNode): number {
  const isRoot = at.path.length === 0
  if (at.isMap && !isRoot) return 1
  let fields = at.isField ? 1 : 0
  for (const member of at.members.values()) fields += collapse(member)
  if (isRoot || fields <= MAX_OBJECT_FIELDS) return fields
  at.isMap = true
  return 1
}

function outermostMap(root: PathNode, path: FieldPath): PathNode | undefined {
  let at: PathNode | undefined = root
  for (const key of path) {
    at = at.members.get(key)
    if (at === undefined || at.isMap) return at
  }
  return undefined
}

/**
 * Returns the values of an event that are fields of a dataset or may become fields. Any other value inside a field is replaced
 * by the information that the field has an object.
 */
export function fieldLeaves(dataset: Dataset, leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.flatMap((leaf) => {
    if (dataset.knows(leaf.path)) return [leaf]
    if (leaf.form === 'empty-object' || dataset.isInMap(leaf.path)) return []
    return dataset.isFull ? around(dataset, leaf) : [leaf]
  })
}

/** Returns the fields that this value is nested in. */
function around(dataset: Dataset, { path, text }: Leaf): readonly Leaf[] {
  return path
    .slice(0, -1)
    .map((_, depth) => path.slice(0, depth + 1))
    .filter((place) => dataset.knows(place))
    .map((place) => ({ path: place, kinds: KIND.other, form: 'object', text }))
}
