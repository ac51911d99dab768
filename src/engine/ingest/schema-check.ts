import { joined, raw, type Sql, sql, text } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import { MAX_FIELD_DEPTH, MAX_KEYS } from '../../wire/limits.js'
import type { Dataset } from '../catalog/dataset.js'
import { literalSet, pathLiterals } from '../catalog/extraction.js'
import { hasTextKey, type TextLeaves, textLeaves } from './lean-check.js'

// Two SQL conditions check an event for values at unknown paths. The fast check looks at keys and braces and passes nearly
// all events; the full check walks all objects and is exact.

/** The check of events against the schema of a dataset. */
interface SchemaCheck {
  /** The keys of the paths at which values other than objects may occur. */
  readonly leafKeys: ReadonlySet<string>
  /** Undefined when only the full check is possible. */
  readonly fast: FastCheck | undefined
  /** True when the check does not look at some of the values: those of maps, or all when the limit of fields is reached. */
  readonly isOpen: boolean
  /** True for a `line` that is not an event or has a value at an unknown path. */
  readonly full: Sql
  /** The leaves that are not in verified columns. */
  readonly text: TextLeaves
  /**
   * Conditions for an event that has passed the full check: it has a value at one of these leaves. They use what the full
   * check has found in the same statement. Undefined when the check is open: other values may be anywhere.
   */
  readonly fullNeedsText: readonly Sql[] | undefined
}

// With fifty thousand fields, building the check takes longer than storing a batch, and a `Dataset` never changes.
const cache = {
  timed: new WeakMap<Dataset, SchemaCheck>(),
  untimed: new WeakMap<Dataset, SchemaCheck>(),
}

/** Returns the check for events with the given timestamp field. */
export function schemaCheckOf(dataset: Dataset, timestampField: string): SchemaCheck {
  const isTimed = timestampField === '_time'
  const checks = isTimed ? cache.timed : cache.untimed
  // The timestamp is not a field, but `_time` is a known path.
  const check = checks.get(dataset) ?? newSchemaCheck(dataset, isTimed ? [['_time']] : [])
  checks.set(dataset, check)
  return check
}

function newSchemaCheck(dataset: Dataset, others: readonly FieldPath[]): SchemaCheck {
  const paths = objectPathsOf(dataset, others)
  const isOpen = paths.isFull || paths.maps.length > 0
  const text = textLeaves(dataset, new Set(paths.objects.map(({ path }) => pathKey(path))))
  return {
    leafKeys: valueKeys(paths),
    isOpen,
    fast: isOpen ? undefined : fastCheck(paths, text),
    full: fullCheck(paths),
    text,
    fullNeedsText: isOpen ? undefined : membersNeedText(text),
  }
}

/** The paths of the objects and values in the events of a dataset. */
interface ObjectPaths {
  /** The event itself is the first. */
  readonly objects: readonly ObjectPath[]
  readonly leaves: readonly FieldPath[]
  /** The keys of the leaves. */
  readonly leafKeys: ReadonlySet<string>
  /** Leaves that are maps: objects with arbitrary members. */
  readonly maps: readonly FieldPath[]
  /** True when the limit of fields is reached: values may occur anywhere. */
  readonly isFull: boolean
}

interface ObjectPath {
  readonly path: FieldPath
  readonly keys: readonly string[]
  /** True when values other than objects occur at the path, too. */
  readonly isLeaf: boolean
}

/** Returns the paths of a dataset; `others` are known paths that are not fields. */
function objectPathsOf(dataset: Dataset, others: readonly FieldPath[]): ObjectPaths {
  const { isFull, maps } = dataset
  const known = [...dataset.paths.values()].map(({ path }) => path)
  const leaves = [...known.filter(({ length }) => length > 0), ...others]
  const objects = new Map<string, { path: FieldPath; keys: Set<string> }>()
  objects.set(pathKey([]), { path: [], keys: new Set() })
  for (const leaf of leaves) {
    for (const [depth, key] of leaf.entries()) {
      const path = leaf.slice(0, depth)
      const object = objects.get(pathKey(path)) ?? { path, keys: new Set() }
      object.keys.add(key)
      objects.set(pathKey(path), object)
    }
  }
  const leafKeys = new Set(leaves.map(pathKey))
  return {
    objects: [...objects.values()].map(({ path, keys }) => ({
      path,
      keys: [...keys],
      isLeaf: leafKeys.has(pathKey(path)),
    })),
    leaves,
    leafKeys,
    maps: leaves.filter((leaf) => maps.has(pathKey(leaf))),
    isFull,
  }
}

function valueKeys({ leafKeys, objects, isFull }: ObjectPaths): ReadonlySet<string> {
  return isFull ? new Set([...leafKeys, ...objects.map(({ path }) => pathKey(path))]) : leafKeys
}

/** With more objects, reading the keys of each costs more than the full check. */
const MAX_FAST_OBJECTS = 12

interface FastCheck {
  /** Columns to read from `line`, under names that the condition uses. */
  readonly columns: readonly Sql[]
  /** True for each event that the check can't pass. */
  readonly isUnexpected: Sql
  /** Conditions for an event that has passed the check: it has the key of one of the other text leaves. */
  readonly needsText: readonly Sql[]
}

/** Returns the fast check; undefined when there are too many objects. */
function fastCheck({ objects }: ObjectPaths, { others }: TextLeaves): FastCheck | undefined {
  if (objects.length > MAX_FAST_OBJECTS) return undefined
  const names = new Map(objects.map(({ path }, i) => [pathKey(path), raw(`keys${i}`)]))
  const keysOf = (path: FieldPath): Sql => names.get(pathKey(path)) ?? sql`[]`
  // Each object has one opening brace. More braces than known objects mean unknown objects or braces in strings.
  const known = objects.map(({ path }) => sql`notEmpty(${keysOf(path)})`)
  const conditions = objects.map((object) => {
    const keys = keysOf(object.path)
    const parent = object.path.slice(0, -1)
    const key = object.path.at(-1)
    const unknown = sql`arrayExists(k -> k NOT IN ${literalSet(object.keys)}, ${keys})`
    if (key === undefined) return sql`empty(${keys}) OR ${unknown}`
    // The key of an object that has no keys: its value may not be an object.
    const hollow = sql`empty(${keys}) AND has(${keysOf(parent)}, ${text(key)})`
    return object.isLeaf ? unknown : sql`${unknown} OR (${hollow})`
  })
  const needsText = objects.flatMap(({ path, keys }) => {
    const ofText = others.filter((leaf) => pathKey(leaf.slice(0, -1)) === pathKey(path))
    if (ofText.length === 0) return []
    return [hasTextKey(keysOf(path), keys, new Set(ofText.map((leaf) => leaf.at(-1) ?? '')))]
  })
  return {
    needsText,
    columns: objects.map(({ path }) => sql`${keysIn(path)} AS ${keysOf(path)}`),
    isUnexpected: joined(
      [...conditions, sql`countSubstrings(line, '{') != ${joined(known, ' + ')}`].map(
        (condition) => sql`(${condition})`,
      ),
      ' OR ',
    ),
  }
}

function keysIn(path: FieldPath): Sql {
  return path.length === 0
    ? sql`JSONExtractKeys(line)`
    : sql`JSONExtractKeys(line, ${pathLiterals(path)})`
}

/**
 * Returns a condition that is true for a `line` that is not an event or has a value at an unknown path. It walks all
 * objects except maps, level by level; the name of a member is its path, joined with NUL.
 */
function fullCheck({ leaves, maps, isFull }: ObjectPaths): Sql {
  const conditions: Sql[] = [sql`JSONType(line) != 'Object'`]
  if (isFull) return sql`(${joined([...conditions, sql`has(JSONExtractKeys(line), '')`], ' OR ')})`
  const namesAt = namesByDepth(leaves)
  const mapsAt = namesByDepth(maps)
  const depth = Math.max(1, namesAt.length - 1)
  let level = sql`JSONExtractKeysAndValuesRaw(line)`
  for (let at = 1; at <= depth; at++) {
    const members = membersAt(at)
    const isObject = at === MAX_FIELD_DEPTH ? sql`0` : sql`startsWith(m.2, '{')`
    conditions.push(
      sql`arrayExists(m -> empty(m.1) OR endsWith(m.1, '\\0') OR (m.2 != '{}' AND NOT ${isObject}${notIn(namesAt[at])}), ${level} AS ${members})`,
    )
    level = sql`arrayFlatten(arrayMap(m -> arrayMap(n -> (concat(m.1, '\\0', n.1), n.2), JSONExtractKeysAndValuesRaw(m.2)), arrayFilter(m -> startsWith(m.2, '{')${notIn(mapsAt[at])}, ${members})))`
  }
  // Anything deeper than all known paths is unknown.
  if (depth < MAX_FIELD_DEPTH) conditions.push(sql`notEmpty(${level})`)
  return sql`(${joined(conditions, ' OR ')})`
}

function membersNeedText({ all }: TextLeaves): readonly Sql[] {
  // Not `map`, which keeps the holes of depths without leaves.
  return namesByDepth(all).flatMap((names, depth) => [
    sql`arrayExists(m -> m.1 IN ${literalSet(names)} AND m.2 != 'null', ${membersAt(depth)})`,
  ])
}

/** The members of all objects at a depth, as the full check has found them. */
function membersAt(depth: number): Sql {
  return raw(`members${depth}`)
}

/** True for each event that may have too many keys: an event has at least as many colons as keys. */
export const MAY_HAVE_TOO_MANY_KEYS = sql`countSubstrings(line, ':') > ${MAX_KEYS}`

function notIn(names: readonly string[] = []): Sql {
  return names.length === 0 ? sql`` : sql` AND m.1 NOT IN ${literalSet(names)}`
}

/** The names of paths by depth: comparing with all of them at each level would be slow. */
function namesByDepth(paths: readonly FieldPath[]): string[][] {
  const byDepth: string[][] = []
  for (const path of paths) {
    const depth = Math.min(path.length, MAX_FIELD_DEPTH)
    byDepth[depth] ??= []
    byDepth[depth].push(path.join('\0'))
  }
  return byDepth
}
