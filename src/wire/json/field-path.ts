/** The keys that lead to a value in an event: `["geo", "city"]`, or `["geo.city"]` when written so. */
export type FieldPath = readonly string[]

/** Objects deeper than this are values, not groups of fields. */
export const MAX_DEPTH = 16

/** The field that holds whole events. Only datasets that have reached the limit of fields have it. */
export const SOURCE_FIELD = '_source'

/** The path of the whole event. */
export const ROOT: FieldPath = []

/** Names at the top of an event that mean something else in a result; `_time` when another field is the time. */
const RESERVED = new Set(['_time', '_sysTime', '_rowId', '_cursor', SOURCE_FIELD, '_blockInfo'])

/** The flat name of the field that stands there. */
export function fieldName(path: FieldPath): string {
  if (path.length === 0) return SOURCE_FIELD
  const name = path.join('.')
  return RESERVED.has(path[0] ?? '') ? `_user_${name}` : name
}

/** A path as text, different for different paths. */
export function pathKey(path: FieldPath): string {
  return JSON.stringify(path)
}

/** The path that `pathKey` made a key of. */
export function pathOfKey(key: string): FieldPath {
  return JSON.parse(key)
}
