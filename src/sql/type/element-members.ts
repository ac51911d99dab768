import type { Type } from '../../apl/type.js'
import type { UsedMembers } from '../member-use.js'
import { identifier, joined, list, type Sql, sql, text } from '../sql.js'
import { documentOf, nullable, nullableType, typeName, type Value } from '../value.js'
import { convert, dynamicOf, json, realOfJson } from './convert.js'
import { parsableAgain } from './parsable.js'

// Members of the elements of an array, all read in one pass over its JSON text. Writing the JSON text of each element would take
// most of the time of a query over arrays of objects.

export interface MembersOfElements {
  /** An array that has something for each element. */
  readonly array: Sql
  /** Returns the value of an element, of which only the members are known. */
  valueOf(element: Sql): Value
}

/** An array as an element of an array: the engine would read members by their positions in it. */
const NESTED = String.raw`[\[,]\s*\[`

/** A zero that loses its sign when it is read twice, as a part of an element and then by itself. */
const MINUS_ZERO = String.raw`[\s\[:,]-0(?:\.0+)?(?:[eE][-+]?[0-9]+)?[\s,\]}]`

/** Strings of which one is in each text that matches the expressions above: they are found in a fraction of the time. */
const SIGNS = [
  ...[...'[, \t\n\r'].map((before) => `${before}[`),
  ...[...'[:, \t\n\r'].map((before) => `${before}-0`),
]

/**
 * Reads members of the elements of an array. In rows in which one pass is not exact, they are read from `items`, the JSON texts of the
 * elements.
 */
export function membersOfElements(
  { sql: value, json: part }: Value,
  { members, items }: { readonly members: UsedMembers; readonly items: Sql },
): MembersOfElements {
  const { document, path } = part ?? { document: value, path: [] }
  const whole = sql`ifNull(${document}, '')`
  const types = [...members.keys()].map((key) => `${identifier(key).text} Nullable(String)`)
  const type = text(`Array(Tuple(${types.join(', ')}))`)
  const read = sql`JSONExtract(${list([whole, ...path, type])})`
  const tests = [
    // The engine returns no elements when none of them has a member.
    sql`notEmpty(${read})`,
    sql`(NOT multiSearchAny(${whole}, [${list(SIGNS.map(text))}]) OR NOT match(${whole}, ${text(`${NESTED}|${MINUS_ZERO}`)}))`,
  ]
  const inOnePass: Sql[] = []
  const oneByOne: Sql[] = []
  for (const [key, { as }] of members) {
    const found = sql`tupleElement(item, ${inOnePass.length + 1})`
    const at = sql`${parsableAgain(sql`item`)}, ${text(key)}`
    if (as === 'string') {
      inOnePass.push(found)
      oneByOne.push(sql`JSONExtract(${at}, ${nullableType('string')})`)
    } else {
      const ofString = as === 'dynamic' ? json(found) : convert(nullable('string', found), as).sql
      const isOther = sql`ifNull(match(${found}, ${NO_STRING}), false)`
      const isUnclear = ALIKE.has(as) ? sql`(isNull(${ofString}) AND ${isOther})` : isOther
      const areUnclear = sql`arrayExists(item -> ${isUnclear}, ${read})`
      tests.push(sql`(NOT ${areUnclear} OR ${isNeverString(whole, key)})`)
      inOnePass.push(sql`if(${isUnclear}, ${ofJson(found, as)}, ${ofString})`)
      oneByOne.push(ofJson(sql`nullIf(nullIf(JSONExtractRaw(${at}), ''), 'null')`, as))
    }
  }
  const of = (values: readonly Sql[], all: Sql) =>
    sql`arrayMap(item -> tuple(${list(values)}), ${all})`
  return {
    array: sql`if(${joined(tests, ' AND ')}, ${of(inOnePass, read)}, ${of(oneByOne, items)})`,
    valueOf: (tuple) => objectOf(members, tuple),
  }
}

/** Matches the text of any value that is not a string, and some strings. */
const NO_STRING = text(
  String.raw`^(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$|[{\[]|true$|false$)`,
)

/** The types for which converting the text as a string gives the same value as converting it as JSON, unless it gives null. */
const ALIKE = new Set<Type>(['int', 'real', 'bool'])

function ofJson(value: Sql, type: Type): Sql {
  return type === 'real' ? realOfJson(value) : convert(nullable('dynamic', value), type).sql
}

/** True when no value of a key is a string in a document. The key may be written with escapes. */
function isNeverString(document: Sql, key: string): Sql {
  const found = text(String.raw`"${key.replaceAll('.', String.raw`\.`)}"\s*:\s*"`)
  return sql`(position(${document}, ${text(String.raw`\u00`)}) = 0 AND NOT match(${document}, ${found}))`
}

function objectOf(members: UsedMembers, tuple: Sql): Value {
  const values = [...members].map(([key, { as, hasMembers }], i): readonly [string, Value] => {
    const found = sql`tupleElement(${tuple}, ${i + 1})`
    if (as === 'string') return [key, dynamicOf(found)]
    const value = nullable(as, found)
    return [
      key,
      hasMembers ? { ...value, json: { document: parsableAgain(found), path: [] } } : value,
    ]
  })
  return { ...nullable('dynamic', tuple), members: new Map(values) }
}

/**
 * Reads the elements of an array, which are converted to one type; `itemsOf` returns the JSON texts of the elements of a value, and
 * no text for null.
 */
export function convertedElements(
  array: Value,
  {
    as,
    isTyped,
    itemsOf,
  }: {
    readonly as: 'int' | 'real' | 'string'
    readonly isTyped: boolean
    itemsOf(json: Sql): Sql
  },
): MembersOfElements | undefined {
  if (array.json !== undefined && array.json.path.length > 0) return undefined
  const document = sql`ifNull(${documentOf(array)}, '')`
  // The engine would convert strings and booleans.
  const plain =
    as === 'string'
      ? document
      : sql`if(position(${document}, '"') = 0 AND position(${document}, 'e') = 0, ${document}, '')`
  const read = sql`JSONExtract(${plain}, ${text(`Array(Nullable(${typeName(as)}))`)})`
  const rest = sql`if(notEmpty(${read}), NULL, ${array.sql})`
  const item = nullable('dynamic', sql`item`)
  const converted = as === 'real' && !isTyped ? realOfJson(item.sql) : convert(item, as).sql
  return {
    // A condition with an array as its result would copy the elements one by one.
    array: sql`arrayConcat(${read}, arrayMap(item -> ${converted}, ${itemsOf(rest)}))`,
    valueOf: (element) => (as === 'string' ? dynamicOf(element) : nullable(as, element)),
  }
}

/** Counts the elements of an array, of which nothing is used: one for any other value. */
export function countedElements({ sql: value, json: part, strings }: Value): MembersOfElements {
  const { document, path } = part ?? { document: value, path: [] }
  const place = list([sql`ifNull(${document}, '')`, ...path])
  const isArray =
    path.length === 0 ? sql`startsWith(${place}, '[')` : sql`JSONType(${place}) = 'Array'`
  const length = strings
    ? sql`if(${strings.isNull}, 1, length(${strings.elements}))`
    : sql`if(${isArray}, JSONLength(${place}), 1)`
  return { array: sql`range(${length})`, valueOf: (place) => objectOf(new Map(), place) }
}
