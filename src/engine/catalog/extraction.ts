import { identifier, joined, raw, type Sql, sql, text } from '../../sql/sql.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'

interface Group {
  /** Groups, and the types of values. */
  readonly members: Map<string, Group | Sql>
}

const DYNAMIC = sql`Dynamic`

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
    return this.readAs(path, DYNAMIC) ?? extractOne(path)
  }

  /**
   * Returns the same for values that are null or have a type; any other value would be converted. Undefined for a path
   * that one pass can't read, or that is read as another type.
   */
  readAs(path: FieldPath, type: Sql): Sql | undefined {
    if (!path.every(isPlainKey) || this.passesValue(path) || !this.add(path, type)) return undefined
    return path.reduce((from, key) => sql`tupleElement(${from}, ${text(key)})`, sql`event`)
  }

  /** Returns the expression that extracts all values from `line`. */
  statement(): Sql {
    if (this.root.members.size === 0) return sql`tuple()`
    return sql`JSONExtract(line, ${text(tupleType(this.root).text)})`
  }

  /** For an array in place of an object, the engine would return its elements as members. */
  private passesValue(path: FieldPath): boolean {
    return path.some((_, depth) => depth > 0 && this.leaves.has(pathKey(path.slice(0, depth))))
  }

  // A path can't be both a value and an object in one type.
  private add(path: FieldPath, type: Sql): boolean {
    let group = this.root
    for (const key of path.slice(0, -1)) {
      const next = group.members.get(key) ?? { members: new Map() }
      if (!isGroup(next)) return false
      group.members.set(key, next)
      group = next
    }
    const last = path.at(-1) ?? ''
    const member = group.members.get(last) ?? type
    group.members.set(last, member)
    return !isGroup(member) && member.text === type.text
  }
}

function tupleType(group: Group): Sql {
  const members = [...group.members].map(([key, inner]) => {
    const type = isGroup(inner) ? tupleType(inner) : inner
    return sql`${identifier(key)} ${type}`
  })
  return sql`Tuple(${joined(members, ', ')})`
}

function isGroup(member: Group | Sql): member is Group {
  return 'members' in member
}

// `null` is reserved: the engine uses it for the null map of a column.
const PLAIN_KEY = /^(?!null$)[^\p{Cc}\\`]{1,150}$/u

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
  return joined(path.map(text), ', ')
}

/** Returns a parenthesized list of literals for `IN`. */
export function literalSet(values: readonly string[]): Sql {
  return raw(`(${values.map((value) => text(value).text).join(', ')})`)
}
