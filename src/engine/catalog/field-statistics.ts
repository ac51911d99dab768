import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import {
  columnTypes,
  holds,
  KIND,
  type Kinds,
  type TypedColumnType,
  typeOfKinds,
} from '../../wire/json/kinds.js'
import { MAX_FIELDS } from '../../wire/limits.js'
import type { KnownPath } from './dataset.js'

export interface PathStatistics {
  readonly path: FieldPath
  kinds: Kinds
  /** The number of events with a value. */
  count: number
  /** The numbers of values by their kinds, which are several for values that were counted together. */
  readonly counts: Map<Kinds, number>
  /** The number of occurrences of each string; incomplete beyond `MAX_DISTINCT_STRINGS`, and empty when strings were not examined. */
  readonly strings: Map<string, number>
  /** The number of events for each one that was examined. */
  readonly eventsPerSample: number
  /** The statistics of a sample of the events, with strings. */
  sample?: PathStatistics
}

/** The most distinct strings of a low-cardinality field. */
const MAX_DISTINCT_STRINGS = 500
/** Events per distinct string that make a dictionary worthwhile. The events of an identifier follow each other, and are often fewer. */
const EVENTS_PER_STRING = 10
/** The largest share of values whose strings occur once. About the same share of later values are new strings. */
const SINGLE_STRINGS = 0.1

/** The most paths with statistics, far more than a dataset can have fields. */
const MAX_PATHS = 5 * MAX_FIELDS

/** Statistics of the values in a sample of events. Paths beyond the limit are ignored; the next sample may include them. */
export class FieldStatistics {
  readonly paths = new Map<string, PathStatistics>()
  /** Paths with an empty object, which does not make the path a field, but does not fit a typed column at the path either. */
  readonly emptyObjects = new Map<string, FieldPath>()
  private readonly eventsPerSample: number

  /** `eventsPerSample` is the number of events for each one that is added. */
  constructor(eventsPerSample = 1) {
    this.eventsPerSample = eventsPerSample
  }

  add(leaves: readonly Leaf[]): void {
    for (const leaf of leaves) {
      if (leaf.form === 'empty-object') this.addEmptied(leaf.path)
      else this.addValue(leaf)
    }
  }

  /** Adds values of these kinds, without their strings. Returns the statistics of the path; undefined when it is ignored. */
  addValues(
    path: FieldPath,
    { kinds, count }: Pick<PathStatistics, 'kinds' | 'count'>,
  ): PathStatistics | undefined {
    const key = pathKey(path)
    if (this.paths.size >= MAX_PATHS && !this.paths.has(key)) return undefined
    const statistics = this.paths.get(key) ?? this.ofNoValues(path)
    statistics.kinds |= kinds
    statistics.count += count
    statistics.counts.set(kinds, (statistics.counts.get(kinds) ?? 0) + count)
    this.paths.set(key, statistics)
    return statistics
  }

  /** Adds the statistics of other events at some of their paths. */
  merge(
    other: FieldStatistics,
    isMerged: (place: Pick<KnownPath, 'path' | 'kinds'>) => boolean,
  ): void {
    for (const statistics of other.paths.values()) {
      if (!isMerged(statistics)) continue
      const { strings } = this.addValues(statistics.path, statistics) ?? statistics
      for (const [text, count] of statistics.strings) addString(strings, text, count)
    }
    for (const path of other.emptyObjects.values()) {
      if (isMerged({ path, kinds: KIND.other })) this.addEmptied(path)
    }
  }

  get isEmpty(): boolean {
    return this.paths.size === 0 && this.emptyObjects.size === 0
  }

  private ofNoValues(path: FieldPath): PathStatistics {
    const { eventsPerSample } = this
    return { path, kinds: 0, count: 0, counts: new Map(), strings: new Map(), eventsPerSample }
  }

  private addEmptied(path: FieldPath): void {
    if (this.emptyObjects.size < MAX_PATHS) this.emptyObjects.set(pathKey(path), path)
  }

  private addValue({ path, kinds, form, text }: Leaf): void {
    const strings = this.addValues(path, { kinds, count: kinds === 0 ? 0 : 1 })?.strings
    if (form === 'string' && strings !== undefined) addString(strings, text, 1)
  }
}

function addString(strings: Map<string, number>, text: string, count: number): void {
  if (strings.size <= MAX_DISTINCT_STRINGS) strings.set(text, (strings.get(text) ?? 0) + count)
}

/**
 * Returns the type of a column for a field of `events` events: the common type of these kinds, or a type that at least half of the
 * events have. A query of a field without a common type reads the remainders of all other events.
 */
export function columnType(
  { count, sample, ...all }: PathStatistics,
  { kinds, events }: { readonly kinds: Kinds; readonly events: number },
): TypedColumnType | undefined {
  const counted = sample ?? { ...all, count }
  const isFrequent = (type: TypedColumnType): boolean => {
    const held = [...counted.counts].filter(([some]) => holds(type, some))
    const share = held.reduce((sum, [, each]) => sum + each, 0) / counted.count
    return 2 * share * count >= events
  }
  return typeOfKinds(kinds) ?? columnTypes(kinds).find(isFrequent)
}

/** True for a field whose strings are few and repeated. */
export function isLowCardinality({ sample, ...all }: PathStatistics): boolean {
  const { strings, count, eventsPerSample } = sample ?? all
  const isKnown = strings.size > 0 && strings.size <= MAX_DISTINCT_STRINGS
  const single = [...strings.values()].filter((times) => times === 1)
  return (
    isKnown &&
    count * eventsPerSample >= EVENTS_PER_STRING * strings.size &&
    single.length <= SINGLE_STRINGS * count
  )
}
