import { isDeepStrictEqual } from 'node:util'
import { memoized } from '../../text/memoized.js'
import { type EventOptions, timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { holds, KIND, type Kinds, typeOfKinds } from '../../wire/json/kinds.js'
import type { Dataset, KnownPath, TypedPath } from '../catalog/dataset.js'
import { fieldLeaves } from '../catalog/field-limit.js'
import { columnName } from '../catalog/typed-column.js'
import { ANY_VALUE, type EventLeaf, EventSchema, SLOT } from './scan/event-schema.js'
import type { ScanColumn } from './scan/scan-columns.js'

// The expectations of a dataset: the values that its columns hold, and the values that belong to the remainder of an event. All
// other values change the schema. Nulls, empty objects that are not in a field, the order of keys and the form of numbers in
// columns are lost, as no result shows them.
//
// A service may store events with a slightly old schema. It leaves values out of the remainder only when a column that it knows
// holds them: the column may have been retired, but is still read, and the default of a column that replaced it takes its
// value from there. A column that it does not know is for a path that it does not know, or for one whose values it keeps in the
// remainder. Each query refreshes the schema first, so it knows the columns of all events stored before it.

const TIME: FieldPath = ['_time']

/** The schemas of each dataset by the options that they depend on: a `Dataset` is immutable. */
const cache = new WeakMap<Dataset, Map<string, EventSchema>>()
/** Clients choose the options, so their number must be limited. */
const MAX_CACHED = 32

/** Returns the schema of the events that a dataset expects. The result is the same object for the same dataset and options. */
export function eventSchemaOf(dataset: Dataset, terms: EventOptions): EventSchema {
  const { timestampField, labels = '' } = terms
  const schemas = cache.get(dataset) ?? new Map<string, EventSchema>()
  cache.set(dataset, schemas)
  const key = JSON.stringify([timestampField, labels])
  const known = schemas.get(key)
  if (known !== undefined) return known
  if (schemas.size >= MAX_CACHED) schemas.clear()
  const schema = new EventSchema({
    leaves: eventLeaves(dataset),
    times: timePaths(timestampField).map((path) => ({
      path,
      isField: !isOnlyTime(dataset, terms),
    })),
    labels: labelKeys(terms),
    columns: fileColumns(dataset).scanned,
    others: { kind: dataset.isFull ? 'kept' : 'noted' },
  })
  schemas.set(key, schema)
  return schema
}

interface FileColumns {
  /** In the order in which files have them. */
  readonly list: readonly TypedPath[]
  /** The same columns for the scanner. */
  readonly scanned: readonly ScanColumn[]
  readonly byPath: ReadonlyMap<string, TypedPath>
}

/** Returns the typed columns as files have them. They are needed for each batch, however small. */
export const fileColumns = memoized((dataset: Dataset): FileColumns => {
  const named = dataset.typedPaths().map((one) => ({ ...one, name: columnName(one.column) }))
  const list = named.sort((a, b) => (a.name < b.name ? -1 : 1))
  const byPath = new Map(list.map((one) => [pathKey(one.path), one]))
  const scanned = list.map(({ column: { type }, path }) => ({ type, path }))
  return { list, scanned, byPath }
})

function labelKeys({ labels = '' }: EventOptions): readonly string[] {
  return labels === '' ? [] : Object.keys(JSON.parse(`{${labels}}`))
}

export function hasTimeLabel(terms: EventOptions): boolean {
  const keys = labelKeys(terms)
  return timePaths(terms.timestampField).some(([key = '']) => keys.includes(key))
}

/** True when `_time` is the timestamp of events and not a field: another batch may have made it one. */
function isOnlyTime(dataset: Dataset, { timestampField }: EventOptions): boolean {
  return timestampField === '_time' && !dataset.knows(TIME)
}

export function eventLeaves(dataset: Dataset): readonly EventLeaf[] {
  const columns = fileColumns(dataset).byPath
  return [...dataset.paths.values()].flatMap((known) => {
    const { path } = known
    if (path.length === 0) return []
    const key = pathKey(path)
    const typed = columns.get(key)
    const isMap = dataset.maps.has(key)
    return [typed ? typedLeaf(typed, isMap) : { path, stored: 0, rest: restKinds(known), isMap }]
  })
}

/** Returns a leaf with a column. The values that the column does not hold belong to the remainder if the field may have them. */
export function typedLeaf(typed: TypedPath, isMap = false): EventLeaf {
  const stored = storedKinds(typed)
  const rest = decidesType(typed) ? 0 : ANY_VALUE & ~stored
  return { path: typed.path, stored, rest, isMap }
}

/** Returns the kinds of values that are expected at a path without a column, as bits of `SLOT`. */
export function restKinds(known: KnownPath): number {
  // A null is expected at each path, also when there are no other values.
  return decidesType(known) ? known.kinds | SLOT.null : ANY_VALUE
}

/** True while the values at a path without a column have a common type, which others would change. */
function decidesType({ kinds }: KnownPath): boolean {
  return kinds === 0 || typeOfKinds(kinds) !== undefined
}

/** True when the values at a path without a column may have these kinds. */
export function mayHave(known: KnownPath, kinds: Kinds): boolean {
  return !decidesType(known) || (kinds & ~known.kinds) === 0
}

/** Returns the kinds of values that a column holds as they are, as bits of `SLOT`. */
function storedKinds({ column: { type }, kinds }: TypedPath): number {
  if (type === 'int') return SLOT.int | SLOT.long
  return type === 'real' && (kinds & KIND.int) !== 0 ? SLOT.real | SLOT.int : SLOT[type]
}

/** Returns the leaves of an event that a dataset does not expect. */
export function unexpectedLeaves(
  dataset: Dataset,
  leaves: readonly Leaf[],
  terms: EventOptions,
): readonly Leaf[] {
  const columns = fileColumns(dataset).byPath
  const isField = ({ path }: Leaf) => path.length !== 1 || path[0] !== TIME[0]
  const own = isOnlyTime(dataset, terms) ? leaves.filter(isField) : leaves
  const isUnexpected = (leaf: Leaf): boolean => {
    const key = pathKey(leaf.path)
    const known = dataset.paths.get(key)
    if (known === undefined) return true
    if (leaf.form === 'null') return false
    const typed = columns.get(key)
    const kinds = leaf.form === 'empty-object' ? KIND.other : leaf.kinds
    return !mayHave(known, kinds) && !(typed && isHeld(typed, leaf))
  }
  // Most values are expected, and are fields as they are.
  return fieldLeaves(dataset, own.filter(isUnexpected)).filter(isUnexpected)
}

/** True when a column holds the value of a leaf as it is. */
export function isHeld({ column: { type }, kinds: known }: TypedPath, { kinds }: Leaf): boolean {
  // Until a field has had an integer, one is unexpected in a column of doubles.
  return holds(type, kinds) && (type !== 'real' || (known & kinds) !== 0)
}

/** Returns the kinds of values with these bits of `SLOT`. */
export function kindsOf(bits: number): Kinds {
  const kinds = bits & ANY_VALUE
  return (kinds & KIND.long) === 0 ? kinds : kinds | KIND.int
}

/** True when events that were scanned for one dataset have the columns and remainders that they would have for the other. */
export function storesAlike(one: Dataset, other: Dataset): boolean {
  if (one === other) return true
  if (one.isFull !== other.isFull || !isDeepStrictEqual(one.maps, other.maps)) return false
  return isDeepStrictEqual(fileColumns(one).list, fileColumns(other).list)
}
