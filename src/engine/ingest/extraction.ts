import { identifier, joined, raw, type Sql, sql, text } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'

interface Group {
  readonly members: Map<string, Group | 'value'>
}

/**
 * Many values of an event out of one reading of its text. `Dynamic` is the only type under which
 * the engine tells what stood there: `5`, `5.0`, `"5"` and `true` stay four different things.
 */
export class Extraction {
  private readonly root: Group = { members: new Map() }
  private readonly leaves: ReadonlySet<string>

  /** `leaves` are the keys of the paths at which values stand that are no objects. */
  constructor(leaves: ReadonlySet<string>) {
    this.leaves = leaves
  }

  /** The value at a path, out of what `statement` reads under the name `event`. */
  read(path: FieldPath): Sql {
    if (!path.every(isPlainKey) || this.passesValue(path) || !this.add(path)) {
      return extractOne(path)
    }
    return path.reduce((from, key) => sql`tupleElement(${from}, ${text(key)})`, sql`event`)
  }

  /** The expression that reads all of them from `line`. */
  statement(): Sql {
    if (this.root.members.size === 0) return sql`tuple()`
    return sql`JSONExtract(line, ${text(tupleType(this.root).text)})`
  }

  /** Where an array may stand in an object's place, the engine would take its elements for the members. */
  private passesValue(path: FieldPath): boolean {
    return path.some((_, depth) => depth > 0 && this.leaves.has(pathKey(path.slice(0, depth))))
  }

  // A value that is an object in other events can't be both in one reading.
  private add(path: FieldPath): boolean {
    let group = this.root
    for (const key of path.slice(0, -1)) {
      const next = group.members.get(key) ?? { members: new Map() }
      if (next === 'value') return false
      group.members.set(key, next)
      group = next
    }
    const last = path.at(-1) ?? ''
    if (!group.members.has(last)) group.members.set(last, 'value')
    return group.members.get(last) === 'value'
  }
}

function tupleType(group: Group): Sql {
  const members = [...group.members].map(([key, inner]) => {
    const type = inner === 'value' ? sql`Dynamic` : tupleType(inner)
    return sql`${identifier(key)} ${type}`
  })
  return sql`Tuple(${joined(members, ', ')})`
}

// `null` is what the engine calls the nulls of a column, and takes for nothing else.
const PLAIN_KEY = /^(?!null$)[^\p{Cc}\\`]{1,150}$/u

/** Whether the engine takes a key for a part of a type or a column's name without a second thought. */
export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key)
}

/** One value, read on its own. */
export function extractOne(path: FieldPath): Sql {
  return sql`JSONExtract(line, ${pathLiterals(path)}, 'Dynamic')`
}

/** A path as the arguments of the engine's JSON functions. */
export function pathLiterals(path: FieldPath): Sql {
  return joined(path.map(text), ', ')
}

/** Literals between parentheses, as `IN` takes them. */
export function literalSet(values: readonly string[]): Sql {
  return raw(`(${values.map((value) => text(value).text).join(', ')})`)
}
