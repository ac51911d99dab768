import type { StoredLeaf } from '../layout.js'
import { identifier, list, raw, type Sql, sql, text } from '../sql.js'
import { asDynamic } from '../type/convert.js'
import { nullable } from '../value.js'

// The text of lean rows, made from their columns for what is read from text: fields without a current column, and whole events.

interface EventObject {
  readonly columns: StoredLeaf[]
  readonly members: Map<string, EventObject>
}

/** The text of events as it is stored: empty in lean rows. */
export const STORED_LINE = raw('stored_line')

/** Returns a table expression like the table, with a `line` in lean rows that has the values of these columns. */
export function withText(table: Sql, leaves: readonly StoredLeaf[]): Sql {
  const root: EventObject = { columns: [], members: new Map() }
  for (const leaf of new Map(leaves.map((one) => [one.column, one])).values()) {
    place(root, leaf)
  }
  const stored = sql`(SELECT *, line AS ${STORED_LINE} FROM ${table})`
  return sql`(SELECT * REPLACE (if(empty(line), ${objectText(root)}, line) AS line) FROM ${stored})`
}

function place(root: EventObject, leaf: StoredLeaf): void {
  let at = root
  for (const key of leaf.path) {
    const inner = at.members.get(key) ?? { columns: [], members: new Map() }
    at.members.set(key, inner)
    at = inner
  }
  at.columns.push(leaf)
}

/** Returns the object as JSON text, without members that have no value. */
function objectText({ members }: EventObject): Sql {
  const each = [...members].map(([key, member]) => {
    const name = text(`${JSON.stringify(key)}:`)
    return sql`ifNull(concat(${name}, ${memberText(member)}), '')`
  })
  return sql`concat('{', arrayStringConcat(arrayFilter(m -> m != '', [${list(each)}]), ','), '}')`
}

/** Returns the value as JSON text; null when there is none. A row has a value in one of the columns, or equal ones in two. */
function memberText(member: EventObject): Sql {
  // An integer that became a double when its column was replaced has its first form in the first column.
  const values = [...member.columns]
    .sort((a, b) => Number(b.type === 'int') - Number(a.type === 'int'))
    .map(scalarText)
  if (member.members.size > 0) values.push(sql`nullIf(${objectText(member)}, '{}')`)
  const [only] = values
  return only !== undefined && values.length === 1 ? only : sql`coalesce(${list(values)})`
}

function scalarText({ column, type }: StoredLeaf): Sql {
  const json = asDynamic(nullable(type, identifier(column)))
  // A double without a fraction, beyond 64 bits, would not be a number to the engine's parser.
  return type === 'real' ? sql`if(match(${json}, '[.e]'), ${json}, concat(${json}, '.0'))` : json
}
