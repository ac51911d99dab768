import { type Sql, sql } from '../sql.js'
import { equal, predicate } from '../type/compare.js'
import {
  elements,
  isText,
  itemValue,
  jsonArray,
  keys,
  overArrays,
  texts,
} from '../type/json-array.js'
import { documentOf, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const SET_SQL = {
  set_difference: ([set, other]) => compared(set!, other!, sql`times = 1`),
  set_has_element: ([set, value]) => {
    const document = documentOf(set!)
    if (isText(value!)) return predicate(sql`has(${texts(document)}, ${value!.sql})`, [])
    const isSame = equal(itemValue(sql`item`), value!).sql
    return predicate(sql`arrayExists(item -> ${isSame}, ${elements(document)})`, [])
  },
  set_intersect: ([set, other]) => compared(set!, other!, sql`times = 2`),
  set_union: (arrays) =>
    overArrays('dynamic', arrays, [], ([set, other]) =>
      jsonArray(once(sql`arrayConcat(${set!}, ${other!})`, distinct)),
    ),
} satisfies Record<string, FunctionRow>

/** Distinct elements, in the order of their first occurrence. */
function distinct(items: Sql): Sql {
  return sql`arrayFilter((item, times) -> times = 1, ${items}, arrayEnumerateUniq(${keys(items)}))`
}

/** Selects elements of `set` by how often they occur in both sets together: 1 or 2 times. */
function compared(set: Value, other: Value, isWanted: Sql): Value {
  return overArrays('dynamic', [set, other], [], ([items, others]) =>
    once(distinct(items!), (own) =>
      once(distinct(others!), (before) => {
        const times = sql`arrayEnumerateUniq(${keys(sql`arrayConcat(${before}, ${own})`)})`
        const ofOwn = sql`arraySlice(${times}, length(${before}) + 1)`
        return jsonArray(sql`arrayFilter((item, times) -> ${isWanted}, ${own}, ${ofOwn})`)
      }),
    ),
  )
}
