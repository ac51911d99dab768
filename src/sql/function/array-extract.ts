import { EVERY, type JsonStep, parseJsonPath } from '../../apl/syntax/json-path.js'
import { type Sql, sql, text } from '../sql.js'
import { jsonArray } from '../type/json-array.js'
import { nullable, once, type Value } from '../value.js'

/** `array_extract(array, "$[*].name")`: all values that the path matches, always as an array. */
export function extracted(array: Value, path: Value): Value {
  const steps = parseJsonPath(String(path.constant)) ?? []
  const found = (d: Sql) => steps.reduce(taken, sql`[${d}]`)
  return nullable(
    'dynamic',
    once(array.sql, (d) => {
      const texts = sql`arrayMap(item -> ${asText(sql`item`)}, ${found(sql`ifNull(${d}, 'null')`)})`
      return sql`if(isNull(${d}), NULL, ${jsonArray(texts)})`
    }),
  )
}

/** Numbers and booleans are returned as strings. */
function asText(item: Sql): Sql {
  return sql`if(match(${item}, '^[-0-9tf]'), toJSONString(${item}), ${item})`
}

function taken(items: Sql, step: JsonStep): Sql {
  if (step === EVERY) {
    const members = sql`arrayMap(member -> member.2, JSONExtractKeysAndValuesRaw(item))`
    const inside = sql`if(startsWith(item, '{'), ${members}, JSONExtractArrayRaw(item))`
    return sql`arrayFlatten(arrayMap(item -> ${inside}, ${items}))`
  }
  const [open, key] =
    typeof step === 'string' ? [text('{'), text(step)] : [text('['), sql`${step + 1}`]
  const part = sql`if(startsWith(item, ${open}), JSONExtractRaw(item, ${key}), '')`
  return sql`arrayFilter(item -> item != '', arrayMap(item -> ${part}, ${items}))`
}
