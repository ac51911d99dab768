/** The path of keys to a value in an event: `["geo", "city"]`, or `["geo.city"]` for a key with a dot. */
export type FieldPath = readonly string[]

/** The field with the whole event, in datasets that have reached the limit of fields. */
export const SOURCE_FIELD = '_source'

export const ROOT: FieldPath = []

/** The fields of a result that the service sets itself. */
export const SERVICE_FIELDS: readonly string[] = [
  ...['_sysTime', '_rowId', '_cursor', SOURCE_FIELD, '_blockInfo'],
]

/** Top-level names that have another meaning in results. This applies to `_time` when another field contains the time. */
const RESERVED = new Set(['_time', ...SERVICE_FIELDS])

/** Returns the flat name of the field at a path. */
export function fieldName(path: FieldPath): string {
  if (path.length === 0) return SOURCE_FIELD
  const name = path.join('.')
  return RESERVED.has(path[0] ?? '') ? `_user_${name}` : name
}

/** Returns the keys of an object that can lead to a field: `a`, `a.b` and `a.b.c` for the field `a.b.c`. */
export function keysOf(field: string): readonly string[] {
  const parts = field.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}

export function pathKey(path: FieldPath): string {
  return JSON.stringify(path)
}

export function pathOfKey(key: string): FieldPath {
  return JSON.parse(key)
}

/** Returns the keys of the paths at which events have objects with members at these paths. */
export function objectsAround(paths: readonly FieldPath[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.map((_, depth) => pathKey(path.slice(0, depth)))))
}
