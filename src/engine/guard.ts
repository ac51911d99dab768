import { joined, raw, type Sql, sql } from '../sql/sql.js'
import { literalSet, pathLiterals } from './extraction.js'
import { type FieldPath, MAX_DEPTH } from './field-path.js'
import type { Outline, OutlineGroup } from './outline.js'

// Whether an event has a value where none was known is asked twice. A quick look at keys and braces
// lets nearly all events pass; what it can't vouch for is walked through exactly.

/** With more objects than this a look into each costs more than the walk. */
const QUICK_GROUPS = 12

/** Whether `line` is no event, or has a value at a path that the outline does not have. */
export function strayEvent(outline: Outline): Sql {
  if (outline.groups.length > QUICK_GROUPS) return walk(outline)
  return sql`if(${doubtful(outline)}, ${walk(outline)}, 0)`
}

function doubtful({ groups }: Outline): Sql {
  const keys = groups.map((group) =>
    group.path.length === 0
      ? sql`JSONExtractKeys(line)`
      : sql`JSONExtractKeys(line, ${pathLiterals(group.path)})`,
  )
  const doubts = groups.map((group, i) => groupDoubt(group, keys[i] ?? sql`[]`))
  // Every object has one opening brace: more of them than objects that were looked into means
  // objects elsewhere, or braces in texts.
  const objects = joined(
    keys.map((some) => sql`notEmpty(${some})`),
    ' + ',
  )
  return joined([...doubts, sql`countSubstrings(line, '{') != ${objects}`], ' OR ')
}

function groupDoubt(group: OutlineGroup, keys: Sql): Sql {
  const unknown = unknownIn(keys, group.keys)
  // No keys: an event without fields, or no event at all.
  if (group.path.length === 0) return sql`empty(${keys}) OR ${unknown}`
  if (group.isLeaf) return unknown
  // A value where only an object is known: it has no keys, and the brace is missing too.
  return sql`${unknown} OR (empty(${keys}) AND JSONType(line, ${pathLiterals(group.path)}) NOT IN ('Null', 'Object'))`
}

function unknownIn(keys: Sql, known: readonly string[]): Sql {
  if (known.length === 0) return sql`notEmpty(${keys})`
  return sql`arrayExists(k -> k NOT IN ${literalSet(known)}, ${keys})`
}

/** Walks through all objects of an event, level by level; the names of what it finds hold the keys of the way there. */
function walk({ leaves }: Outline): Sql {
  const depth = Math.min(MAX_DEPTH, Math.max(1, ...leaves.map((leaf) => leaf.length)))
  const known = literalSet(leaves.map(joinedPath))
  let level = sql`JSONExtractKeysAndValuesRaw(line)`
  const stray: Sql[] = [sql`JSONType(line) != 'Object'`]
  for (let at = 1; at <= depth; at++) {
    const members = raw(`members${at}`)
    const isObject = at === MAX_DEPTH ? sql`0` : sql`startsWith(m.2, '{')`
    stray.push(
      sql`arrayExists(m -> empty(m.1) OR endsWith(m.1, '\\0') OR (m.2 != '{}' AND NOT ${isObject}${leaves.length === 0 ? sql`` : sql` AND m.1 NOT IN ${known}`}), ${level} AS ${members})`,
    )
    level = sql`arrayFlatten(arrayMap(m -> arrayMap(n -> (concat(m.1, '\\0', n.1), n.2), JSONExtractKeysAndValuesRaw(m.2)), arrayFilter(m -> startsWith(m.2, '{'), ${members})))`
  }
  // What lies deeper than everything known is unknown.
  if (depth < MAX_DEPTH) stray.push(sql`notEmpty(${level})`)
  return sql`(${joined(stray, ' OR ')})`
}

function joinedPath(path: FieldPath): string {
  return path.join('\0')
}
