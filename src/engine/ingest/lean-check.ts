import { joined, type Sql, sql } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Dataset } from '../catalog/dataset.js'
import { isPlainKey, literalSet } from '../catalog/extraction.js'

// A lean event has values only in verified columns, and `line` is empty for it. Nulls, empty objects that are not in a field, the
// order of keys and the form of numbers are lost, as no result shows them. No query reads a pending column: it needs the text.
//
// A service whose schema is slightly old is no danger. It stores lean rows only with columns that it knows as verified: they may
// have been retired, but are read for lean rows, and the default of a column that replaced one takes its value from there. A
// column that it does not know is for a path that it does not know, or for one whose values it keeps in the text. Each query
// refreshes the schema first, so it knows the columns of all events stored before it.

/** The leaves whose values are only in the text of an event. */
export interface TextLeaves {
  /** Those that are often null, whose values are looked at. */
  readonly nullable: readonly FieldPath[]
  /** Those whose keys are looked for; a null counts as a value. */
  readonly others: readonly FieldPath[]
  readonly all: readonly FieldPath[]
}

/** Each costs an insert a little time; the keys of all others together cost about as much as one. */
const MAX_NULLABLE = 16

/** Returns the leaves without a verified column; `objects` are the keys of the paths at which events have objects. */
export function textLeaves(dataset: Dataset, objects: ReadonlySet<string>): TextLeaves {
  const held = new Set(
    dataset.typedPaths().flatMap(({ column, known }) => {
      const key = pathKey(known.path)
      return column.isPending || objects.has(key) ? [] : [key]
    }),
  )
  const leaves = [...dataset.paths.values()].filter(
    ({ path }) => path.length > 0 && !held.has(pathKey(path)),
  )
  const nullable = leaves
    .filter(
      ({ path, kinds }) => kinds === 0 && path.every(isPlainKey) && !objects.has(pathKey(path)),
    )
    .slice(0, MAX_NULLABLE)
  const looked = new Set(nullable)
  return {
    nullable: nullable.map(({ path }) => path),
    others: leaves.filter((leaf) => !looked.has(leaf)).map(({ path }) => path),
    all: leaves.map(({ path }) => path),
  }
}

/** Returns a condition for an object with known keys: one of them is that of a text leaf. */
export function hasTextKey(keys: Sql, known: readonly string[], ofText: ReadonlySet<string>): Sql {
  const others = known.filter((key) => !ofText.has(key))
  if (others.length === 0) return sql`notEmpty(${keys})`
  // The shorter list is looked at.
  return others.length < ofText.size
    ? sql`arrayExists(k -> k NOT IN ${literalSet(others)}, ${keys})`
    : sql`arrayExists(k -> k IN ${literalSet([...ofText])}, ${keys})`
}

/** Returns an expression for `line` as it is stored, given the conditions under which the text is needed. */
export function storedText(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return sql`''`
  const isNeeded = joined(
    conditions.map((one) => sql`(${one})`),
    ' OR ',
  )
  return sql`if(${isNeeded}, line, '')`
}
