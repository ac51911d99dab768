import { identifier, list, type Sql, sql, text } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'

interface Group {
  /** A nested group for an object, and undefined for a value. */
  readonly members: Map<string, Group | undefined>
}

/**
 * Extracts many values of an event in one pass over its text. `Dynamic` is the only type that preserves the JSON type:
 * `5`, `5.0`, `"5"` and `true` remain four different values.
 */
export class Extraction {
  private readonly root: Group = { members: new Map() }
  private readonly leaves: ReadonlySet<string>

  /** `leaves` are the keys of the paths at which values other than objects occur. */
  constructor(leaves: ReadonlySet<string>) {
    this.leaves = leaves
  }

  /** Returns the value at a path, given the result of `statement` under the name `event`. */
  read(path: FieldPath): Sql {
    if (!path.every(isPlainKey) || this.passesValue(path) || !this.add(path))
      return extractOne(path)
    return path.reduce((from, key) => sql`tupleElement(${from}, ${text(key)})`, sql`event`)
  }

  /** Returns the expression that extracts all values from `line`. */
  statement(): Sql {
    if (this.root.members.size === 0) return sql`tuple()`
    return sql`JSONExtract(line, ${text(tupleType(this.root).text)})`
  }

  /** True when a prefix of the path has values other than objects: the engine would return the elements of an array as members. */
  private passesValue(path: FieldPath): boolean {
    return path.some((_, depth) => depth > 0 && this.leaves.has(pathKey(path.slice(0, depth))))
  }

  // A path can't be both a value and an object in one type.
  private add(path: FieldPath): boolean {
    let group = this.root
    for (const key of path.slice(0, -1)) {
      if (group.members.has(key) && group.members.get(key) === undefined) return false
      const next: Group = group.members.get(key) ?? { members: new Map() }
      group.members.set(key, next)
      group = next
    }
    const last = path.at(-1) ?? ''
    if (group.members.get(last) !== undefined) return false
    group.members.set(last, undefined)
    return true
  }
}

function tupleType(group: Group): Sql {
  const members = [...group.members].map(([key, inner]) => {
    const type = inner === undefined ? sql`Dynamic` : tupleType(inner)
    return sql`${identifier(key)} ${type}`
  })
  return sql`Tuple(${list(members)})`
}

// `null` is reserved: the engine uses it for the null map of a column.
const PLAIN_KEY = /^(?!null$)\P{Cc}{1,150}$/u

/** True for a key that the engine accepts in a type and in a column name. */
export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key)
}

/** Returns the value at a path in a separate pass. */
export function extractOne(path: FieldPath): Sql {
  return sql`JSONExtract(line, ${pathLiterals(path)}, 'Dynamic')`
}

/** Returns a path as the arguments of the engine's JSON functions. */
export function pathLiterals(path: FieldPath): Sql {
  return list(path.map(text))
}

/** Returns a parenthesized list of literals for `IN`. */
export function literalSet(values: readonly string[]): Sql {
  return sql`(${list(values.map(text))})`
}
