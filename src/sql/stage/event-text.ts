import { typedPart } from '../json-path.js'
import type { FieldLayout } from '../layout.js'
import { type Cell, closed, type InText, type Need, named, type Rows } from '../rows.js'
import { list, raw, type Sql, sql, text } from '../sql.js'
import { nullable, type Value } from '../value.js'

/** The column with the event's text. */
const LINE = raw('line')

/** More fields than this are read in one go. */
const FEW = 2

/** A field of the event's text. */
export function inText(field: FieldLayout): InText {
  const places = field.paths.map((path) => ({ document: LINE, path: path.map(text) }))
  return { kind: 'text', field, carrier: LINE, value: firstOf(field, places) }
}

/**
 * Reads the texts of these columns' events once, where each column would read them again: into a
 * map from the keys of the event to the JSON texts of their values.
 */
export function readOnce(rows: Rows, ids: Iterable<number>, need: Need): Rows {
  const read = new Map<number, InText>()
  for (const id of ids) {
    const cell = rows.columns.get(id)
    if (cell?.kind === 'text' && cell.carrier === LINE) read.set(id, cell)
  }
  if (read.size <= FEW) return rows
  const map = raw(`h${rows.hidden}`)
  const rest = new Map<number, Cell>([...rows.columns].filter(([id]) => !read.has(id)))
  const open = { ...rows, columns: rest, hidden: rows.hidden + 1 }
  const inner = closed(open, need, [named(membersOf(LINE), map)])
  const columns = new Map(inner.columns)
  for (const [id, { field }] of read) columns.set(id, inMap(field, map))
  return { ...inner, columns }
}

/** The members of an object by key, each as its JSON text; a missing one, or JSON's null, is null. */
function membersOf(object: Sql): Sql {
  const members = sql`arrayFilter(member -> member.2 != 'null', JSONExtractKeysAndValuesRaw(${object}))`
  return sql`CAST(${members}, 'Map(String, Nullable(String))')`
}

function inMap(field: FieldLayout, map: Sql): InText {
  const places = field.paths.map(([key = '', ...path]) => ({
    document: sql`arrayElement(${map}, ${text(key)})`,
    path: path.map(text),
  }))
  return { kind: 'text', field, carrier: map, value: firstOf(field, places) }
}

/** Where a field may stand in two places, the first that has it wins. */
function firstOf(field: FieldLayout, places: readonly Parameters<typeof typedPart>[0][]): Value {
  const values = places.map((place) => typedPart(place, field.type))
  if (values.length === 1) return values[0]!
  return nullable(field.type, sql`coalesce(${list(values.map((value) => value.sql))})`)
}
