import type { FieldPath } from '../json/field-path.js'

/** Where an event may hold its time: the key as it is, or the place that a dotted name means. */
export function timePaths(timestampField: string): readonly FieldPath[] {
  const nested = timestampField.split('.')
  return nested.length === 1 || nested.includes('')
    ? [[timestampField]]
    : [[timestampField], nested]
}
