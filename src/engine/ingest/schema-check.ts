import { joined, raw, type Sql, sql, text } from '../../sql/sql.js'
import { type FieldPath, MAX_DEPTH, pathKey } from '../../wire/json/field-path.js'
import { MAX_KEYS } from '../../wire/json/json-line.js'
import { literalSet, pathLiterals } from './extraction.js'
import type { Outline } from './path-outline.js'

// Whether an event has a value where none was known is asked in two ways: a look at keys and braces
// that vouches for nearly all events, and a walk through all objects that knows for sure.

/** With more objects than this a look into each costs more than the walk. */
const MOST_LOOKS = 12

/** What has to be read from `line` for a look, under names that the doubts use. */
export interface Look {
  readonly columns: readonly Sql[]
  /** True for each event that the look can't vouch for. */
  readonly doubt: Sql
}

/** A quick look for values at paths that the outline does not have; undefined where only a walk would do. */
export function look({ groups }: Outline): Look | undefined {
  if (groups.length > MOST_LOOKS) return undefined
  const names = new Map(groups.map(({ path }, i) => [pathKey(path), raw(`keys${i}`)]))
  const keysOf = (path: FieldPath): Sql => names.get(pathKey(path)) ?? sql`[]`
  // Every object has one opening brace: more of them than objects that were looked into means
  // objects elsewhere, or braces in texts.
  const objects = groups.map(({ path }) => sql`notEmpty(${keysOf(path)})`)
  const doubts = groups.map((group) => {
    const keys = keysOf(group.path)
    const parent = group.path.slice(0, -1)
    const key = group.path.at(-1)
    const unknown = sql`arrayExists(k -> k NOT IN ${literalSet(group.keys)}, ${keys})`
    if (key === undefined) return sql`empty(${keys}) OR ${unknown}`
    // A key for an object without keys: perhaps there is no object but a value.
    const hollow = sql`empty(${keys}) AND has(${keysOf(parent)}, ${text(key)})`
    return group.isLeaf ? unknown : sql`${unknown} OR (${hollow})`
  })
  return {
    columns: groups.map(({ path }) => sql`${keysIn(path)} AS ${keysOf(path)}`),
    doubt: joined(
      [...doubts, sql`countSubstrings(line, '{') != ${joined(objects, ' + ')}`].map(
        (doubt) => sql`(${doubt})`,
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
 * True for a `line` that is no event, or has a value at a path that the outline does not have. Walks through all
 * objects but maps, level by level; the names of what it finds hold the keys of the way there.
 */
export function isStray({ leaves, maps, isFull }: Outline): Sql {
  const stray: Sql[] = [sql`JSONType(line) != 'Object'`]
  if (isFull) return sql`(${joined([...stray, sql`has(JSONExtractKeys(line), '')`], ' OR ')})`
  const namesAt = namesByDepth(leaves)
  const mapsAt = namesByDepth(maps)
  const depth = Math.max(1, namesAt.length - 1)
  let level = sql`JSONExtractKeysAndValuesRaw(line)`
  for (let at = 1; at <= depth; at++) {
    const members = raw(`members${at}`)
    const isObject = at === MAX_DEPTH ? sql`0` : sql`startsWith(m.2, '{')`
    stray.push(
      sql`arrayExists(m -> empty(m.1) OR endsWith(m.1, '\\0') OR (m.2 != '{}' AND NOT ${isObject}${notIn(namesAt[at])}), ${level} AS ${members})`,
    )
    level = sql`arrayFlatten(arrayMap(m -> arrayMap(n -> (concat(m.1, '\\0', n.1), n.2), JSONExtractKeysAndValuesRaw(m.2)), arrayFilter(m -> startsWith(m.2, '{')${notIn(mapsAt[at])}, ${members})))`
  }
  // What lies deeper than everything known is unknown.
  if (depth < MAX_DEPTH) stray.push(sql`notEmpty(${level})`)
  return sql`(${joined(stray, ' OR ')})`
}

/** True for each event that may have too many keys; none has more keys than colons. */
export const MAY_HAVE_TOO_MANY_KEYS = sql`countSubstrings(line, ':') > ${MAX_KEYS}`

function notIn(names: readonly string[] = []): Sql {
  return names.length === 0 ? sql`` : sql` AND m.1 NOT IN ${literalSet(names)}`
}

/** The names of paths by their depth: comparing with all of them at each level would be slow. */
function namesByDepth(paths: readonly FieldPath[]): string[][] {
  const byDepth: string[][] = []
  for (const path of paths) {
    const depth = Math.min(path.length, MAX_DEPTH)
    byDepth[depth] ??= []
    byDepth[depth].push(path.join('\0'))
  }
  return byDepth
}
