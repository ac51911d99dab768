import { classifyLine } from '../../wire/event/classify-line.js'
import { timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, keysOf, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { Dataset, type TypedPath } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve } from '../catalog/schema-change.js'
import { columnName } from '../catalog/typed-column.js'
import { plainKinds } from '../ingest/plain-schema.js'
import type { ScanColumns } from '../ingest/scan/scan-columns.js'
import {
  type KeyPrefix,
  PLAIN,
  type PlainLeaf,
  ScanSchema,
  type SkippedMembers,
} from '../ingest/scan/scan-schema.js'

// A query of files uses some fields of their events. The dataset that the first events would create says which columns have
// these fields. As long as all other events fit these columns, they would not change it, and it is enough to scan them.

/** The fields of events that a query uses. */
export interface InputFields {
  /** The name of the dataset. */
  readonly dataset: string
  /** The names of the fields, also `_time`. */
  readonly fields: readonly string[]
  readonly timestampField: string
}

/** The dataset of an input, and how its events are scanned. */
export interface InputSchema {
  readonly dataset: Dataset
  readonly scan: ScanTerms
}

/** The arguments of a `ScanSchema`: plain data, which other threads are given. */
export interface ScanTerms {
  readonly leaves: readonly PlainLeaf[]
  readonly columns: ScanColumns
  readonly skipped: SkippedMembers
}

/** Returns the schema of a scan. */
export function scanSchemaOf({ leaves, columns, skipped }: ScanTerms): ScanSchema {
  return new ScanSchema(leaves, columns, skipped)
}

const TIME = '_time'
const TIME_KINDS = PLAIN.string | PLAIN.null | PLAIN.time
const NOTHING = { paths: new Map(), columns: new Map() }

/** The scanner also skips members that it does not know, only not as fast. */
const MAX_SKIPPED = 1_000

/**
 * Returns the schema for the events that begin with these lines; undefined when they have to be stored: when one is not an
 * event, or a field that the query uses has no column.
 */
export function inputSchema(
  lines: readonly string[],
  options: InputFields,
): InputSchema | undefined {
  const { fields, timestampField } = options
  const events = eventsOf(lines, timestampField)
  if (events === undefined || events.length === 0) return undefined
  const dataset = datasetOf(events, options)
  const typed = dataset.typedPaths()
  const names = fields.filter((name) => name !== TIME)
  const used = names.flatMap(
    (name) => typed.find(({ column: { field, isPending } }) => field === name && !isPending) ?? [],
  )
  if (dataset.isFull || used.length < names.length) return undefined
  const scan = scanTerms(events.flat(), { used, fields, timestampField })
  // A field whose key JSON writes with escapes has no column in a scan.
  const isComplete = scan && scanSchemaOf(scan).output?.columns.length === used.length
  return isComplete ? { dataset, scan } : undefined
}

/** Returns the values of each event; undefined when a line is not an event, or its time is not a string that a scan reads. */
function eventsOf(
  lines: readonly string[],
  timestampField: string,
): readonly (readonly Leaf[])[] | undefined {
  const events: (readonly Leaf[])[] = []
  const times = new Set(timePaths(timestampField).map(pathKey))
  const isNumber = ({ path, form }: Leaf): boolean => form === 'number' && times.has(pathKey(path))
  for (const line of lines) {
    const found = classifyLine(line, { timestampField })
    if (found.kind === 'blank') continue
    if (found.kind === 'rejected') return undefined
    if (found.time !== undefined && found.hasEngineTime !== true) return undefined
    if (found.leaves.some(isNumber)) return undefined
    events.push(found.leaves)
  }
  return events
}

/** Returns the dataset that events would create which have only the members in which the fields may be. */
function datasetOf(
  events: readonly (readonly Leaf[])[],
  { dataset, fields, timestampField }: InputFields,
): Dataset {
  const keys = new Set([...fields, timestampField].flatMap(keysOf))
  const isUsed = ([key = '']: FieldPath): boolean =>
    keys.has(key) || fields.some((name) => name !== TIME && key.startsWith(`${name}.`))
  const isTime = ([key, ...inner]: FieldPath): boolean =>
    timestampField === TIME && key === TIME && inner.length === 0
  const statistics = new FieldStatistics()
  for (const leaves of events) {
    statistics.add(leaves.filter(({ path }) => isUsed(path) && !isTime(path)))
  }
  return evolve(new Dataset(dataset, NOTHING), statistics, events.length).dataset
}

interface ScanOptions extends Omit<InputFields, 'dataset'> {
  /** The columns of the fields that the query uses. */
  readonly used: readonly TypedPath[]
}

function scanTerms(
  leaves: readonly Leaf[],
  { used, fields, timestampField }: ScanOptions,
): ScanTerms | undefined {
  const times = timePaths(timestampField)
  const kept = new Map<string, PlainLeaf>()
  for (const { column, known } of used) {
    const { path, kinds } = known
    kept.set(pathKey(path), { path, kinds: plainKinds(path, kinds, column) })
  }
  for (const path of times) {
    const field = kept.get(pathKey(path))
    // Numbers as times are read by other code.
    if (field !== undefined && (field.kinds & PLAIN.string) === 0) return undefined
    kept.set(pathKey(path), { path, kinds: TIME_KINDS })
  }
  const names = [...used.map(({ column }) => column.field), timestampField]
  const { objects, guarded, prefixes } = guardsOf(names, kept)
  const skipped = skippedPaths(leaves, { kept, objects })
  if (skipped === undefined) return undefined
  const isGuarded = (path: FieldPath): boolean =>
    guarded.has(pathKey(path)) ||
    prefixes.some(
      ({ object, text }) =>
        pathKey(object) === pathKey(path.slice(0, -1)) && path.at(-1)?.startsWith(text),
    )
  if (skipped.some(isGuarded)) return undefined
  return {
    leaves: [
      ...kept.values(),
      ...[...guarded.values()].map((path) => ({ path, kinds: 0 })),
      ...skipped.slice(0, MAX_SKIPPED).map((path) => ({ path, kinds: PLAIN.any })),
    ],
    columns: {
      times,
      columns: used.map(({ column, known: { path } }) => ({
        path,
        type: column.type,
        name: columnName(column),
      })),
      leading: fields.includes(TIME) ? ['_time', '_seq'] : ['_seq'],
    },
    skipped: { prefixes },
  }
}

/** The members that must not be skipped although no event has had them so far. */
interface Guards {
  /** The paths at which events have objects with fields that are used, by key. */
  readonly objects: ReadonlyMap<string, FieldPath>
  /** The paths at which another spelling of these fields would be, by key. */
  readonly guarded: ReadonlyMap<string, FieldPath>
  readonly prefixes: SkippedMembers['prefixes']
}

/** The field `a.b.c` may also be in the keys `a.b` or `a.b.c`, and `a.b.c.d` be a member of it. */
function guardsOf(names: readonly string[], kept: ReadonlyMap<string, PlainLeaf>): Guards {
  const objects = new Map<string, FieldPath>()
  for (const { path } of kept.values()) {
    for (const depth of path.keys())
      objects.set(pathKey(path.slice(0, depth)), path.slice(0, depth))
  }
  const guarded = new Map<string, FieldPath>()
  const prefixes: KeyPrefix[] = []
  for (const object of objects.values()) {
    const before = object.map((key) => `${key}.`).join('')
    for (const name of names.filter((one) => one.startsWith(before))) {
      const rest = name.slice(before.length)
      prefixes.push({ object, text: `${rest}.` })
      for (const key of keysOf(rest)) {
        const path = [...object, key]
        const place = pathKey(path)
        if (!kept.has(place) && !objects.has(place)) guarded.set(place, path)
      }
    }
  }
  return { objects, guarded, prefixes }
}

/** Returns the paths of members that are skipped as a whole; undefined when one is in the way of a field that is used. */
function skippedPaths(
  leaves: readonly Leaf[],
  { kept, objects }: Pick<Guards, 'objects'> & { readonly kept: ReadonlyMap<string, PlainLeaf> },
): readonly FieldPath[] | undefined {
  const skipped = new Map<string, FieldPath>()
  for (const { path, kinds } of leaves) {
    if (kept.has(pathKey(path))) continue
    const outer = path.map((_, depth) => path.slice(0, depth + 1))
    const whole = outer.find((one) => !objects.has(pathKey(one)))
    if (whole === undefined) {
      if (kinds !== 0) return undefined
      continue
    }
    if (kept.has(pathKey(whole))) return undefined
    skipped.set(pathKey(whole), whole)
  }
  return [...skipped.values()]
}
