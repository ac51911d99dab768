import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import type { Kinds } from '../../wire/json/kinds.js'
import { MAX_FIELDS } from './field-limit.js'

/** What some events hold at a path. */
export interface PathStatistics {
  readonly path: FieldPath
  kinds: Kinds
  /** How many of the events have a value there. */
  count: number
  /** The different texts, as long as they are few. */
  readonly texts: Set<string>
}

/** More different texts than this are many. */
const FEW_TEXTS = 100
/** A text that comes back less often than this is not worth a dictionary. */
const REPEATED = 10

/** The most paths of a survey: far more than a dataset can take as fields. */
const MAX_PATHS = 5 * MAX_FIELDS

/** What was found in events that were read one by one. Paths beyond the limit are left out, for the next survey. */
export class FieldStatistics {
  readonly paths = new Map<string, PathStatistics>()
  /** Paths where an object without keys stood: no field, but no value of another type either. */
  readonly emptyObjects = new Map<string, FieldPath>()

  add(leaves: readonly Leaf[]): void {
    for (const leaf of leaves) {
      if (leaf.form === 'empty-object') this.addEmptied(leaf.path)
      else this.addValue(leaf)
    }
  }

  private addEmptied(path: FieldPath): void {
    if (this.emptyObjects.size < MAX_PATHS) this.emptyObjects.set(pathKey(path), path)
  }

  private addValue(leaf: Leaf): void {
    const key = pathKey(leaf.path)
    if (this.paths.size >= MAX_PATHS && !this.paths.has(key)) return
    const statistics = this.paths.get(key) ?? noValues(leaf.path)
    statistics.kinds |= leaf.kinds
    if (leaf.kinds !== 0) statistics.count++
    if (leaf.form === 'string' && statistics.texts.size <= FEW_TEXTS)
      statistics.texts.add(leaf.text)
    this.paths.set(key, statistics)
  }
}

/** Whether a field's values seem to be few texts that come again and again. */
export function isLowCardinality(statistics: PathStatistics): boolean {
  return statistics.texts.size <= FEW_TEXTS && statistics.count >= REPEATED * statistics.texts.size
}

function noValues(path: FieldPath): PathStatistics {
  return { path, kinds: 0, count: 0, texts: new Set() }
}
