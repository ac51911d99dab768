import type { StoredLeaf } from '../layout.js'
import { identifier, joined, list, raw, type Sql, sql, text } from '../sql.js'
import { asDynamic } from '../type/convert.js'
import { parsableAgain } from '../type/parsable.js'
import { nullable } from '../value.js'

// The text of events, made from their columns and their remainders for what is read from text: fields without a current column, and
// whole events.

interface EventObject {
  readonly columns: StoredLeaf[]
  readonly members: Map<string, EventObject>
}

/** The remainders of events as they are stored. */
export const STORED_LINE = raw('stored_line')

/** Returns a table expression like the table, with a `line` that also has the values of these columns. */
export function withText(table: Sql, leaves: readonly StoredLeaf[]): Sql {
  const columns = [...new Map(leaves.map((one) => [one.column, one])).values()]
  const root: EventObject = { columns: [], members: new Map() }
  for (const leaf of columns) place(root, leaf)
  const stored = sql`(SELECT *, line AS ${STORED_LINE} FROM ${table})`
  const areNull = columns.map(({ column }) => sql`isNull(${identifier(column)})`)
  const merged =
    columns.length === 0
      ? sql`line`
      : sql`if(${joined(areNull, ' AND ')}, line, ${mergedText(root, [])})`
  return sql`(SELECT * REPLACE (if(empty(line), ${objectText(root)}, ${merged}) AS line) FROM ${stored})`
}

/** An integer that became a double when its column was replaced has its first form in the first column. */
export function integersFirst(columns: readonly StoredLeaf[]): readonly StoredLeaf[] {
  return [...columns].sort((a, b) => Number(b.type === 'int') - Number(a.type === 'int'))
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
    return sql`ifNull(concat(${name}, ${memberText(member, objectText)}), '')`
  })
  return sql`concat('{', arrayStringConcat(arrayFilter(m -> m != '', [${list(each)}]), ','), '}')`
}

/** Returns the same with the members that the remainder has at this path, except members that the columns have, too. */
function mergedText({ members }: EventObject, path: readonly string[]): Sql {
  const each = [...members].map(([key, member]) => {
    const value = memberText(member, (object) => mergedText(object, [...path, key]))
    return sql`(${text(key)}, ifNull(${value}, ''))`
  })
  const place = path.map((key) => sql`, ${text(key)}`)
  const rest = sql`JSONExtractKeysAndValuesRaw(line${joined(place, '')})`
  const others = sql`arrayFilter(m -> NOT has(arrayMap(o -> o.1, own), m.1), arrayMap(m -> (m.1, ${parsableAgain(sql`m.2`)}), ${rest}))`
  const both = sql`arrayMap(m -> concat(toJSONString(m.1), ':', m.2), arrayConcat(own, ${others}))`
  const own = sql`arrayFilter(o -> o.2 != '', [${list(each)}])`
  return sql`concat('{', arrayMap(own -> arrayStringConcat(${both}, ','), [${own}])[1], '}')`
}

/** Returns the value as JSON text; null when there is none. A row has a value in one of the columns, or equal ones in two. */
function memberText(member: EventObject, textOf: (object: EventObject) => Sql): Sql {
  const values = integersFirst(member.columns).map(scalarText)
  if (member.members.size > 0) values.push(sql`nullIf(${textOf(member)}, '{}')`)
  const [only] = values
  return only !== undefined && values.length === 1 ? only : sql`coalesce(${list(values)})`
}

function scalarText({ column, type }: StoredLeaf): Sql {
  const json = asDynamic(nullable(type, identifier(column)))
  // A double without a fraction, beyond 64 bits, would not be a number to the engine's parser.
  return type === 'real' ? sql`if(match(${json}, '[.e]'), ${json}, concat(${json}, '.0'))` : json
}
