import { WIRE_TYPES } from '../type.js'
import type { Column } from './checked.js'

/** Returns the name of a column's type in the interface; empty when it is not known before the query runs. */
export function wireTypeOf({ type, wireType }: Pick<Column, 'type' | 'wireType'>): string {
  return wireType ?? WIRE_TYPES[type]
}

/** Returns the name for values of any of several columns, such as `integer|string`; empty when the type of one is not known. */
export function wireTypeOfAny(columns: readonly (Column | undefined)[]): string {
  const known = columns.filter((column) => column !== undefined).map(wireTypeOf)
  const distinct = new Set(known)
  if (distinct.size < 2) return known[0] ?? ''
  if (distinct.has('')) return ''
  return [...new Set([...distinct].flatMap((type) => type.split('|')))].sort().join('|')
}
