import { addTo } from '../../text/lists.js'
import { type FieldPath, pathKey, pathOfKey, ROOT } from '../../wire/json/field-path.js'
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
  const maps = mapsIn(paths)
  const isFull = paths.has(ROOT_KEY)
  const kept = new Map<string, KnownPath>()
  for (const known of paths.values()) {
    if (known.path.length === 0) continue
    const map = outermost(maps, known.path)
    const path = map ?? known.path
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

/**
 * Returns the keys of the paths of maps. Wide objects become maps, the innermost first: a map is a single field of the object around
 * it.
 */
function mapsIn(paths: Paths): ReadonlySet<string> {
  const maps = new Set([...paths].flatMap(([key, known]) => (isMap(known) ? [key] : [])))
  const fields = new Map([...paths].map(([key, { path }]) => [key, path]))
  const depths = [...fields.values()].map((path) => path.length)
  for (let depth = Math.max(0, ...depths) - 1; depth > 0; depth--) {
    const objects = new Map<string, FieldPath[]>()
    for (const path of fields.values()) {
      if (path.length >= depth) addTo(objects, pathKey(path.slice(0, depth)), path)
    }
    for (const [key, inside] of objects) {
      if (inside.length > MAX_OBJECT_FIELDS) maps.add(key)
      if (!maps.has(key)) continue
      for (const path of inside) fields.delete(pathKey(path))
      fields.set(key, pathOfKey(key))
    }
  }
  return maps
}

/** Returns the path of the outermost map that is at a path or around it. */
function outermost(maps: ReadonlySet<string>, path: FieldPath): FieldPath | undefined {
  if (maps.size === 0) return undefined
  const beginnings = path.map((_, depth) => path.slice(0, depth + 1))
  return beginnings.find((one) => maps.has(pathKey(one)))
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
