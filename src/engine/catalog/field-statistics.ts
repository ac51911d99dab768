import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { KIND, type Kinds } from '../../wire/json/kinds.js'
import { MAX_FIELDS } from '../../wire/limits.js'
import type { KnownPath } from './dataset.js'

export interface PathStatistics {
  readonly path: FieldPath
  kinds: Kinds
  /** The number of events with a value. */
  count: number
  /** The distinct strings; incomplete beyond `MAX_DISTINCT_STRINGS`, and empty when strings were not examined. */
  readonly strings: Set<string>
  /** The statistics of a sample of the events, with strings. */
  sample?: PathStatistics
}

/** The most distinct strings of a low-cardinality field. */
const MAX_DISTINCT_STRINGS = 100
/** Values per distinct string that make a dictionary worthwhile. */
const VALUES_PER_STRING = 10

/** The most paths with statistics, far more than a dataset can have fields. */
const MAX_PATHS = 5 * MAX_FIELDS

/** Statistics of the values in a sample of events. Paths beyond the limit are ignored; the next sample may include them. */
export class FieldStatistics {
  readonly paths = new Map<string, PathStatistics>()
  /** Paths with an empty object, which does not make the path a field, but does not fit a typed column at the path either. */
  readonly emptyObjects = new Map<string, FieldPath>()

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
    const statistics = this.paths.get(key) ?? { path, kinds: 0, count: 0, strings: new Set() }
    statistics.kinds |= kinds
    statistics.count += count
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
      for (const text of statistics.strings) {
        if (strings.size <= MAX_DISTINCT_STRINGS) strings.add(text)
      }
    }
    for (const path of other.emptyObjects.values()) {
      if (isMerged({ path, kinds: KIND.other })) this.addEmptied(path)
    }
  }

  get isEmpty(): boolean {
    return this.paths.size === 0 && this.emptyObjects.size === 0
  }

  private addEmptied(path: FieldPath): void {
    if (this.emptyObjects.size < MAX_PATHS) this.emptyObjects.set(pathKey(path), path)
  }

  private addValue({ path, kinds, form, text }: Leaf): void {
    const strings = this.addValues(path, { kinds, count: kinds === 0 ? 0 : 1 })?.strings
    if (form === 'string' && strings !== undefined && strings.size <= MAX_DISTINCT_STRINGS)
      strings.add(text)
  }
}

/** True for a field whose strings are few and repeated. */
export function isLowCardinality({ sample, ...all }: PathStatistics): boolean {
  const { strings, count } = sample ?? all
  const isKnown = strings.size > 0 && strings.size <= MAX_DISTINCT_STRINGS
  return isKnown && count >= VALUES_PER_STRING * strings.size
}
