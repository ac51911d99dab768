import type { Type } from '../../apl/type.js'
import { ownValue } from '../../text/own-value.js'
import { list, type Sql, sql, text } from '../sql.js'
import {
  constant,
  documentOf,
  type JsonPart,
  nullable,
  nullableType,
  once,
  type Value,
} from '../value.js'
import { convert, dynamicOf } from './convert.js'

/** The value at a path of a JSON document, as JSON text; JSON's null is null. */
function part(place: JsonPart): Value {
  const { document, path } = place
  const found = sql`JSONExtractRaw(${list([document, ...path])})`
  const value = path.length === 0 ? document : sql`nullIf(nullIf(${found}, ''), 'null')`
  return { ...nullable('dynamic', value), json: place }
}

/** Return a value of a known type from its JSON text. As JSON, the engine does not parse integers beyond 64 bits, which may be doubles. */
const OF_TEXT = {
  bool: (json: Sql) => sql`toBool(${json} = 'true')`,
  int: (json: Sql) => sql`toInt64OrNull(${json})`,
  real: (json: Sql) => sql`toFloat64OrNull(${json})`,
  string: (json: Sql) => sql`JSONExtractString(${json})`,
}

/** The value at a path of a JSON document, when its type is known. */
export function typedPart(place: JsonPart, type: Type): Value {
  if (type === 'dynamic') return part(place)
  if (type === 'datetime' || type === 'timespan') return convert(part(place), type)
  const { document, path } = place
  const found = list([document, ...path, nullableType(type)])
  const value = path.length === 0 ? OF_TEXT[type](document) : sql`JSONExtract(${found})`
  return { ...nullable(type, value), json: place }
}

/** Returns the value of a key of an object, or at an index of an array from 0. */
export function element(value: Value, key: Value): Value {
  const { texts, members } = value
  if (members !== undefined) return members.get(String(key.constant))!
  if (texts !== undefined && typeof key.constant === 'string') {
    const known = ownValue(texts, key.constant)
    return known === undefined ? constant('dynamic', null) : dynamicOf(known)
  }
  const whole = value.json ?? { document: value.parsed?.text ?? value.sql, path: [] }
  if (key.type === 'string') return part({ ...whole, path: [...whole.path, keyOf(key)] })
  if (key.type === 'dynamic')
    return part({ ...whole, path: [...whole.path, convert(key, 'string').sql] })
  return item(value, convert(key, 'int'))
}

function keyOf(key: Value): Sql {
  return typeof key.constant === 'string' ? text(key.constant) : sql`ifNull(${key.sql}, '')`
}

/** The engine counts from 1, and counts the members of objects as well. */
function item(array: Value, index: Value): Value {
  const { strings } = array
  if (strings !== undefined) {
    const found = sql`arrayElementOrNull(${strings.elements}, ${position(index)})`
    return dynamicOf(sql`if(${strings.isNull}, NULL, ${found})`)
  }
  const document = once(documentOf(array), (d) => sql`if(startsWith(${d}, '['), ${d}, NULL)`)
  return { ...part({ document, path: [position(index)] }), text: textOfItem(array, index) }
}

/** The text of an item, which is read from the document; undefined when the array is not part of one. */
function textOfItem({ json: whole }: Value, index: Value): Sql | undefined {
  if (whole === undefined || whole.path.length === 0) return undefined
  const place = [whole.document, ...whole.path]
  const found = sql`JSONExtract(${list([...place, position(index), nullableType('string')])})`
  return sql`if(JSONType(${list(place)}) = 'Array', ${found}, NULL)`
}

function position(index: Value): Sql {
  const known = index.constant
  if (typeof known === 'bigint') return sql`${known < 0n ? known : known + 1n}`
  return once(
    sql`ifNull(${index.sql}, 9223372036854775806)`,
    (n) => sql`if(${n} < 0, ${n}, ${n} + 1)`,
  )
}
