import type { Sql } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Dataset } from '../catalog/dataset.js'
import { type Outline, outlineOf } from './path-outline.js'
import { isStray, type Look, look } from './schema-check.js'

/** What the events of a dataset are expected to hold, and how the engine is asked whether one holds more. */
interface Expectation {
  /** The keys of the paths at which values may stand that are no objects. */
  readonly leafKeys: ReadonlySet<string>
  /** Undefined where only a walk would do. */
  readonly look: Look | undefined
  /** True where values may stand that were never looked at. */
  readonly isOpen: boolean
  /** Whether `line` is no event, or holds a value elsewhere. */
  readonly isStray: Sql
}

// A dataset is a value, and every batch asks the same of it: with fifty thousand fields, working it out
// takes longer than storing the batch.
const known = {
  timed: new WeakMap<Dataset, Expectation>(),
  untimed: new WeakMap<Dataset, Expectation>(),
}

/** What is expected of events that name their time in a field. */
export function expectationOf(dataset: Dataset, timestampField: string): Expectation {
  const isTimed = timestampField === '_time'
  const expectations = isTimed ? known.timed : known.untimed
  // As the time it is no field of its own.
  const found = expectations.get(dataset) ?? expectation(dataset, isTimed ? [['_time']] : [])
  expectations.set(dataset, found)
  return found
}

function expectation(dataset: Dataset, others: readonly FieldPath[]): Expectation {
  const outline = outlineOf(dataset, others)
  const isOpen = outline.isFull || outline.maps.length > 0
  return {
    leafKeys: valueKeys(outline),
    isOpen,
    look: isOpen ? undefined : look(outline),
    isStray: isStray(outline),
  }
}

/** The keys of the paths at which values may stand that are no objects. */
function valueKeys({ leafKeys, groups, isFull }: Outline): ReadonlySet<string> {
  return isFull ? new Set([...leafKeys, ...groups.map(({ path }) => pathKey(path))]) : leafKeys
}
