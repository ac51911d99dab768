import type { FieldLayout } from '../../sql/layout.js'
import { classifyLine } from '../../wire/event/classify-line.js'
import { timePaths } from '../../wire/event/event-options.js'
import { type FieldPath, keysOf, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { Dataset, type TypedPath } from '../catalog/dataset.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve, FREQUENT } from '../catalog/schema-change.js'
import { columnName } from '../catalog/typed-column.js'
import { storedKinds } from '../ingest/event-fields.js'
import type { LeadingColumn, ScanColumns } from '../ingest/scan/scan-columns.js'
import {
  type KeyPrefix,
  PLAIN,
  type PlainLeaf,
  type SkippedMembers,
} from '../ingest/scan/scan-schema.js'
import { type ScanTerms, scanSchemaOf } from './scan-terms.js'

// A query of files uses some fields of their events, or all of them. The dataset that the first events would create says which
// columns have these fields; values without a column are read from the text of their events. As long as all other events fit,
// they would not change the dataset, and it is enough to scan them.

/** The fields of events that a query uses. */
export interface InputFields {
  /** The name of the dataset. */
  readonly dataset: string
  /** The names of the fields, also `_time`; all if undefined. */
  readonly fields?: readonly string[] | undefined
  readonly timestampField: string
}

/** The dataset of an input, and how its events are scanned. */
export interface InputSchema {
  readonly dataset: Dataset
  readonly scan: ScanTerms
  /** True when the dataset lacks fields that the query does not use. */
  readonly isPartial: boolean
}

const TIME = '_time'
const TIME_KINDS = PLAIN.string | PLAIN.null | PLAIN.time
const NOTHING = { paths: new Map(), columns: new Map() }

/** The scanner also skips members that it does not know, only not as fast: some events show most of them. */
const FIRST_EVENTS = 50
/** Most inputs show their strings in fewer lines than are looked at otherwise. */
const FEW_LINES = 200
const MAX_SKIPPED = 1_000

/**
 * Returns the schema for the events that begin with these lines; undefined when they have to be stored: when one is not an
 * event, or a field can't be read from a scan.
 */
export function inputSchema(
  lines: readonly string[],
  options: InputFields,
): InputSchema | undefined {
  if (options.fields !== undefined && lines.length > FEW_LINES) {
    const few = sampleOf(lines.slice(0, FEW_LINES), options)
    const schema = few && schemaOf(few, options)
    if (few && schema && isCertain(schema, few, lines.length)) return schema
  }
  const sample = sampleOf(lines, options)
  const schema = sample && schemaOf(sample, options)
  if (schema !== undefined || options.fields === undefined) return schema
  // The query uses an object, or a field that no event has had: a scan of all fields finds out what it is.
  return inputSchema(lines, { ...options, fields: undefined })
}

/**
 * True when more events would not change which columns there are. An event that has another type is found by the scan; numbers
 * are often integers by chance.
 */
function isCertain({ scan }: InputSchema, { statistics }: Sample, lines: number): boolean {
  if (scan.columns.leading?.includes('line')) return false
  return scan.columns.columns.every(({ path, type }) => {
    const count = statistics.paths.get(pathKey(path))?.count ?? 0
    return (type === 'string' || type === 'bool') && count >= lines * FREQUENT
  })
}

function schemaOf(sample: Sample, options: InputFields): InputSchema | undefined {
  const { timestampField } = options
  if (sample.events === 0) return undefined
  const { dataset } = evolve(
    new Dataset(options.dataset, NOTHING),
    sample.statistics,
    sample.events,
  )
  if (dataset.isFull) return undefined
  const names = options.fields?.filter((name) => name !== TIME)
  const isUsed = ({ name, paths }: FieldLayout): boolean =>
    paths.length > 0 && (names === undefined || names.includes(name))
  const fields = dataset.layout.fields.filter(isUsed)
  if (names !== undefined && fields.length < names.length) return undefined
  const inColumns = fields.filter(({ column }) => column !== undefined)
  const columns = dataset
    .typedPaths()
    .filter(({ column }) => inColumns.some(({ name }) => name === column.field))
  const hasTime = options.fields?.includes(TIME) ?? true
  const scan = scanTerms([...sample.first.values()], {
    names: names?.concat(timestampField),
    columns,
    inText: fields.flatMap(({ column, paths }) => (column === undefined ? paths : [])),
    leading: hasTime ? ['_time', '_seq'] : ['_seq'],
    timestampField,
  })
  if (scan === undefined) return undefined
  // A field whose key JSON writes with escapes has no column in a scan.
  const { output } = scanSchemaOf(scan)
  return output?.columns.length === columns.length
    ? { dataset, scan, isPartial: names !== undefined }
    : undefined
}

/** The fields and types of the first events. */
interface Sample {
  readonly events: number
  /** The values of members in which the fields that are used may be. */
  readonly statistics: FieldStatistics
  /** The values of the very first events by the path; of each path, one that is no null if there is one. */
  readonly first: ReadonlyMap<string, Leaf>
}

/** Reads events; returns undefined when a line is not an event, or its time is not a string that a scan reads. */
function sampleOf(
  lines: Iterable<string>,
  { fields, timestampField }: InputFields,
): Sample | undefined {
  const times = new Set(timePaths(timestampField).map(pathKey))
  const keys = new Set([...(fields ?? []), timestampField].flatMap(keysOf))
  const isUsed = ([key = '', ...inner]: FieldPath): boolean => {
    if (key === TIME && timestampField === TIME && inner.length === 0) return false
    if (fields === undefined || keys.has(key)) return true
    return fields.some((name) => name !== TIME && key.startsWith(`${name}.`))
  }
  const isNumber = ({ path, form }: Leaf): boolean =>
    form === 'number' && keys.has(path[0] ?? '') && times.has(pathKey(path))
  const statistics = new FieldStatistics()
  const first = new Map<string, Leaf>()
  let events = 0
  for (const line of lines) {
    const found = classifyLine(line, { timestampField })
    if (found.kind === 'blank') continue
    if (found.kind === 'rejected' || found.leaves.some(isNumber)) return undefined
    if (found.time !== undefined && found.hasEngineTime !== true) return undefined
    statistics.add(found.leaves.filter(({ path }) => isUsed(path)))
    if (events++ >= FIRST_EVENTS) continue
    for (const leaf of found.leaves) {
      const key = pathKey(leaf.path)
      if ((first.get(key)?.kinds ?? 0) === 0) first.set(key, leaf)
    }
  }
  return { events, statistics, first }
}

interface ScanOptions {
  /** The names of the fields that are used, the others are skipped; undefined when all are used. */
  readonly names: readonly string[] | undefined
  /** The columns of these fields. */
  readonly columns: readonly TypedPath[]
  /** The paths of those without a column. */
  readonly inText: readonly FieldPath[]
  readonly leading: readonly LeadingColumn[]
  readonly timestampField: string
}

function scanTerms(
  leaves: readonly Leaf[],
  { names, columns, inText, leading, timestampField }: ScanOptions,
): ScanTerms | undefined {
  const times = timePaths(timestampField)
  const kept = new Map<string, PlainLeaf>()
  for (const { column, known } of columns) {
    const { path, kinds } = known
    kept.set(pathKey(path), { path, kinds: storedKinds(column.type, kinds) | PLAIN.null })
  }
  for (const path of times) {
    const field = kept.get(pathKey(path))
    // Numbers as times are read by other code.
    if (field !== undefined && (field.kinds & PLAIN.string) === 0) return undefined
    kept.set(pathKey(path), { path, kinds: TIME_KINDS })
  }
  const { objects, guarded, prefixes } = guardsOf(names ?? [], kept)
  for (const path of inText) {
    const whole = outermost(path, objects)
    const key = whole && pathKey(whole)
    if (key === undefined || (kept.has(key) && kept.get(key)?.isInText !== true)) return undefined
    kept.set(key, { path: whole!, kinds: PLAIN.any, isInText: true })
    guarded.delete(key)
  }
  const written: ScanColumns = {
    times,
    columns: columns.map(({ column, known: { path } }) => ({
      path,
      type: column.type,
      name: columnName(column),
    })),
    leading: inText.length > 0 ? [...leading, 'line'] : leading,
  }
  if (names === undefined) return { leaves: [...kept.values()], columns: written }
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
    columns: written,
    skipped: { prefixes },
  }
}

/** Returns the beginning of a path at which an event has no object with a column; undefined when there is none. */
function outermost(
  path: FieldPath,
  objects: ReadonlyMap<string, FieldPath>,
): FieldPath | undefined {
  const beginnings = path.map((_, depth) => path.slice(0, depth + 1))
  return beginnings.find((one) => !objects.has(pathKey(one)))
}

/** The members that must not be skipped although no event has had them so far. */
interface Guards {
  /** The paths at which events have objects with fields that are used, by key. */
  readonly objects: ReadonlyMap<string, FieldPath>
  /** The paths at which another spelling of these fields would be, by key. */
  readonly guarded: Map<string, FieldPath>
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
    const whole = outermost(path, objects)
    if (whole === undefined) {
      if (kinds !== 0) return undefined
      continue
    }
    const known = kept.get(pathKey(whole))
    if (known?.isInText) continue
    if (known !== undefined) return undefined
    skipped.set(pathKey(whole), whole)
  }
  return [...skipped.values()]
}
