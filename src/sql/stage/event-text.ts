import {
  type Cell,
  type ColumnUse,
  type InText,
  named,
  type Rows,
  subquery,
  type TextField,
} from '../rows.js'
import { identifier, list, raw, type Sql, sql, text } from '../sql.js'
import { asDynamic, asText, convert } from '../type/convert.js'
import { typedPart } from '../type/json-path.js'
import { parsableAgain } from '../type/parsable.js'
import { type JsonPart, nullable, type Value } from '../value.js'
import { integersFirst } from './event-source.js'

/** The column with the event as JSON text. */
export const LINE = raw('line')

/** With more fields than this, all of them are extracted in one pass. */
const FEW = 2
/** The same for fields that are in columns in most rows. */
const FEW_DIVIDED = 8

/** A field that is extracted from `line`. */
export function inText(field: TextField): InText {
  return inCarrier(field, LINE, memberOfText)
}

interface ReadOptions extends ColumnUse {
  /** Returns conditions that exclude rows before they are parsed. */
  before?(): readonly Sql[]
}

/**
 * Parses `line` once for all these columns, instead of once per column, into a map from the numbers of top-level keys to the JSON
 * texts of their values.
 */
export function readOnce(rows: Rows, ids: Iterable<number>, options: ReadOptions): Rows {
  const fields = new Map<number, TextField>()
  for (const id of ids) {
    const cell = rows.columns.get(id)
    if (cell?.kind !== 'text' || cell.carrier !== LINE) continue
    if (cell.field !== undefined) fields.set(id, cell.field)
  }
  const divided = [...fields.values()].filter(({ isDivided }) => isDivided).length
  if (divided <= FEW_DIVIDED && fields.size - divided <= FEW) return rows
  const map = raw(`h${rows.hidden}`)
  const keys = [...fields.values()].flatMap(({ paths }) => paths.map(([key = '']) => key))
  const numbers = new Map([...new Set(keys)].map((key, i) => [key, i + 1]))
  const read = new Map<number, InText>()
  for (const [id, field] of fields) read.set(id, inCarrier(field, map, memberOf(numbers)))
  const rest = new Map<number, Cell>([...rows.columns].filter(([id]) => !read.has(id)))
  const filters = [...rows.filters, ...(options.before?.() ?? []).map(asOne)]
  // Without `arrayJoin`, the engine computes the map again for each field in a condition that it may skip.
  const members = sql`arrayJoin([${membersOf(LINE, numbers)}])`
  const beside = [...read.values()].flatMap((cell) => cell.beside ?? [])
  const inner = subquery({ ...rows, filters, columns: rest, hidden: rows.hidden + 1 }, options, [
    named(members, map),
    ...beside.map((column) => column.sql),
  ])
  return { ...inner, columns: new Map([...inner.columns, ...read]) }
}

/** Several indexes can skip granules together only when the filters have at most 32 conditions without AND and OR. */
function asOne(condition: Sql): Sql {
  return sql`identity(${condition})`
}

type Reader = (carrier: Sql, path: readonly string[], field: TextField) => Value

/** When a field has several paths, the first one with a value wins. */
function inCarrier(field: TextField, carrier: Sql, read: Reader): InText {
  const values = field.paths.map((path) => read(carrier, path, field))
  const [only] = values
  if (only && values.length === 1) return { kind: 'text', field, carrier, ...withHeld(only, field) }
  const value = sql`coalesce(${list(values.map((each) => each.sql))})`
  return { kind: 'text', field, carrier, value: nullable(field.type, value) }
}

/** Returns the value in the text, or in the columns of a field that hold it in some rows. */
function withHeld(rest: Value, field: TextField): Pick<InText, 'value' | 'beside'> {
  if (!field.isDivided) return { value: rest }
  const columns = integersFirst(field.inColumns ?? []).map((leaf) =>
    nullable(leaf.type, identifier(leaf.column)),
  )
  const either = (of: (value: Value) => Sql): Sql => {
    const held = columns.flatMap((column) => [sql`isNotNull(${column.sql})`, of(column)])
    return sql`multiIf(${list([...held, of(rest)])})`
  }
  const [only, ...others] = columns
  const value = {
    ...nullable('dynamic', either(asDynamic)),
    // Numbers, strings and booleans have no members. A document that is the value itself would be null where a column has the value.
    ...(rest.json && rest.json.path.length > 0 && { json: rest.json }),
    text: either(asText),
    ...(only && others.length === 0 && only.type !== 'bool' && { held: only }),
  }
  return { value, beside: columns }
}

function memberOfText(document: Sql, path: readonly string[], field: TextField): Value {
  return valueAt({ document, path: path.map(text) }, field)
}

function memberOf(numbers: ReadonlyMap<string, number>): Reader {
  return (map, [key = '', ...path], field) => {
    const number = numbers.get(key) ?? 0
    const document = sql`arrayElement(${map}, ${number})`
    return valueAt({ document, path: path.map(text), element: { map, key: number } }, field)
  }
}

/** An object is not a value of a field: its members are separate fields. */
function valueAt(place: JsonPart, { type, hasMembers }: TextField): Value {
  if (!hasMembers) return typedPart(place, type)
  const { sql: found } = typedPart(place, 'dynamic')
  return convert(nullable('dynamic', sql`if(startsWith(${found}, '{'), NULL, ${found})`), type)
}

/**
 * Returns the members of an object by the numbers of their keys, each as its JSON text; a missing member and JSON's null are null.
 * For each key that is read, the engine compares the keys of a map one by one: numbers three times as fast as strings.
 */
function membersOf(object: Sql, numbers: ReadonlyMap<string, number>): Sql {
  const keys = list([...numbers.keys()].map(text))
  const key = sql`transform(member.1, [${keys}], range(1, ${numbers.size + 1}), 0)`
  const members = sql`arrayMap(member -> (${key}, nullIf(${parsable(sql`member.2`)}, 'null')), JSONExtractKeysAndValuesRaw(${object}))`
  return sql`CAST(${members}, 'Map(UInt16, Nullable(String))')`
}

/** Returns the text of a value so that the members of an object can be extracted again. */
function parsable(json: Sql): Sql {
  return sql`if(startsWith(${json}, '{'), ${parsableAgain(json)}, ${json})`
}
