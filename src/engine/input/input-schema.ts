import type { FieldLayout } from '../../sql/layout.js'
import { classifyLine } from '../../wire/event/classify-line.js'
import { timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, keysOf, objectsAround, pathKey } from '../../wire/json/field-path.js'
import { type Dataset, type KnownPath, type TypedPath, withoutFields } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve } from '../catalog/schema-change.js'
import { columnName } from '../catalog/typed-column.js'
import { eventLeaves, kindsOf, restKinds, typedLeaf } from '../ingest/event-fields.js'
import type { UnexpectedValues } from '../ingest/scan/event-scanner.js'
import {
  ANY_VALUE,
  type EventLeaf,
  type EventTerms,
  isScanned,
  mayBeUsed,
} from '../ingest/scan/event-schema.js'

// A query of files uses some fields of their events, or all of them. The dataset that the first events would create decides which
// columns hold these fields; values without a column are read from the remainders of their events. As long as all other events fit,
// they would not change the dataset, and it is enough to scan them. Otherwise they are scanned again for the dataset as it would be
// after the values found up to then, which takes less time than storing them.

/** The fields of events that a query uses. */
export interface InputFields {
  readonly dataset: string
  /** The names of the fields, also `_time`; all if undefined. */
  readonly fields?: readonly string[] | undefined
  readonly timestampField: string
  /** Values of later events that the schema of the first ones lacks. */
  readonly unexpected?: readonly UnexpectedValues[]
}

/** The dataset of an input, and how its events are scanned. */
export interface InputSchema {
  readonly dataset: Dataset
  readonly scan: EventTerms
  /** True when the dataset lacks fields that the query does not use. */
  readonly isPartial: boolean
}

const TIME = '_time'

/** With more columns, a scan takes more time and space in most inputs than storing events, each of which has few of the fields. */
const MAX_COLUMNS = 200

/**
 * Returns the schema for the events that begin with these lines; undefined when they have to be stored: when one is not an
 * event, or a field can't be read from a scan.
 */
export function inputSchema(
  lines: readonly string[],
  options: InputFields,
): InputSchema | undefined {
  const sample = sampleOf(lines, options)
  const schema = sample && schemaOf(sample, options)
  if (schema !== undefined || options.fields === undefined) return schema
  // The query uses an object, or a field that no event has had: a scan of all fields finds out what it is.
  return inputSchema(lines, { ...options, fields: undefined })
}

function schemaOf(sample: Sample, options: InputFields): InputSchema | undefined {
  if (sample.events === 0) return undefined
  const { dataset } = evolve(withoutFields(options.dataset), sample.statistics, sample.events)
  if (dataset.isFull) return undefined
  const names = options.fields?.filter((name) => name !== TIME)
  const isUsed = ({ name, paths }: FieldLayout): boolean =>
    paths.length > 0 && (names === undefined || names.includes(name))
  const fields = dataset.layout.fields.filter(isUsed)
  if (names !== undefined && fields.length < names.length) return undefined
  const typed = dataset.typedPaths()
  // A query that uses `tags` may also use `tags.owner`, which some events have.
  const isOther = ({ column, path }: TypedPath): boolean =>
    names !== undefined && !names.includes(column.field) && mayBeUsed(path, names)
  if (typed.some(isOther)) return undefined
  const columns = typed.filter(({ column }) => fields.some(({ name }) => name === column.field))
  const inRest = fields.flatMap(({ name, paths }) =>
    dataset.columns.has(name)
      ? []
      : paths.flatMap((path) => dataset.paths.get(pathKey(path)) ?? []),
  )
  const times = timePaths(options.timestampField)
  const scan = scanTerms(sample, { names, columns, inRest, dataset, times })
  return scan && { dataset, scan, isPartial: names !== undefined }
}

/** The fields and types of the first events. */
interface Sample {
  readonly events: number
  /** The values of members in which the fields that are used may be. */
  readonly statistics: FieldStatistics
}

/** Reads events; returns undefined when a line is not an event. */
function sampleOf(
  lines: Iterable<string>,
  { fields, timestampField, unexpected = [] }: InputFields,
): Sample | undefined {
  const keys = new Set([...(fields ?? []), timestampField].flatMap(keysOf))
  const isUsed = ([key = '', ...inner]: FieldPath): boolean => {
    if (key === TIME && timestampField === TIME && inner.length === 0) return false
    if (fields === undefined || keys.has(key)) return true
    return fields.some((name) => name !== TIME && key.startsWith(`${name}.`))
  }
  const statistics = new FieldStatistics()
  let events = 0
  for (const line of lines) {
    const found = classifyLine(line, { timestampField })
    if (found.kind === 'blank') continue
    if (found.kind === 'rejected') return undefined
    statistics.add(found.leaves.filter(({ path }) => isUsed(path)))
    events++
  }
  for (const { path, kinds, count } of unexpected) {
    if (isUsed(path)) statistics.addValues(path, { kinds: kindsOf(kinds), count })
  }
  return { events, statistics }
}

interface UsedFields {
  /** The names of the fields that are used, the others are skipped; undefined when all are used. */
  readonly names: readonly string[] | undefined
  readonly columns: readonly TypedPath[]
  /** The paths of fields without a column. */
  readonly inRest: readonly KnownPath[]
  readonly dataset: Dataset
  readonly times: readonly FieldPath[]
}

function scanTerms(sample: Sample, used: UsedFields): EventTerms | undefined {
  const { names, columns, dataset, times } = used
  const leaves = names === undefined ? eventLeaves(dataset) : leavesOf(used)
  if (leaves === undefined || columns.length > MAX_COLUMNS) return undefined
  if (names !== undefined && !areApart(sample, leaves, { names, times })) return undefined
  const known = new Set(leaves.map(({ path }) => pathKey(path)))
  const mayBeNew = names === undefined && times.some(([key]) => key !== TIME)
  return {
    leaves,
    times: times.map((path) => ({ path, isField: mayBeNew || known.has(pathKey(path)) })),
    columns: columns.map(({ column, path }) => ({
      path,
      type: column.type,
      name: columnName(column),
    })),
    leading: ['_time', '_seq', 'line'],
    others: names === undefined ? { kind: 'noted' } : { kind: 'skipped', used: names },
  }
}

/** Returns what is expected of events of which a query uses only these fields; undefined when the scan can't tell them apart. */
function leavesOf({
  columns,
  inRest,
  dataset,
  times,
}: UsedFields): readonly EventLeaf[] | undefined {
  const inColumns = columns.map((column) => typedLeaf(column))
  const groups = objectsAround([...dataset.paths.values()].map(({ path }) => path))
  const inRemainders = inRest.map((known) => {
    const [key, rest] = [pathKey(known.path), restKinds(known)]
    // Objects in this place are known not to be values of the field, so their members can be skipped.
    const isMap = dataset.maps.has(key) || (rest === ANY_VALUE && groups.has(key))
    return { path: known.path, stored: 0, rest, isMap }
  })
  const leaves = [...inColumns, ...inRemainders]
  const objects = objectsAround([...leaves.map(({ path }) => path), ...times])
  if (inRemainders.some(({ path }) => objects.has(pathKey(path)))) return undefined
  return leaves.every(({ path }) => path.every(isScanned)) ? leaves : undefined
}

/** Returns the shortest prefix of a path that is not the path of one of the objects; undefined when there is none. */
function outermost(path: FieldPath, objects: ReadonlySet<string>): FieldPath | undefined {
  const beginnings = path.map((_, depth) => path.slice(0, depth + 1))
  return beginnings.find((one) => !objects.has(pathKey(one)))
}

/** False when the events have other members that may be the fields with these names, or that replace an object around them. */
function areApart(
  { statistics }: Sample,
  leaves: readonly EventLeaf[],
  { names, times }: { readonly names: readonly string[]; readonly times: readonly FieldPath[] },
): boolean {
  const objects = objectsAround([...leaves.map(({ path }) => path), ...times])
  const known = new Map(leaves.map((leaf) => [pathKey(leaf.path), leaf]))
  const isApart = (path: FieldPath, hasValues: boolean): boolean => {
    if (known.has(pathKey(path))) return true
    const whole = outermost(path, objects)
    if (whole === undefined) return !hasValues
    const leaf = known.get(pathKey(whole))
    return leaf === undefined ? !mayBeUsed(whole, names) : leaf.isMap
  }
  return (
    [...statistics.paths.values()].every(({ path, kinds }) => isApart(path, kinds !== 0)) &&
    [...statistics.emptyObjects.values()].every((path) => isApart(path, false))
  )
}
