import { joinedBy, list, raw, type Sql, sql } from '../sql.js'
import { equal, predicate } from '../type/compare.js'
import { convert } from '../type/convert.js'
import { orderTuple } from '../type/dynamic-order.js'
import {
  element,
  elements,
  isArray,
  isText,
  itemValue,
  jsonArray,
  numbers,
  overArrays,
  texts,
} from '../type/json-array.js'
import { typedPart } from '../type/json-path.js'
import {
  bind,
  constant,
  derived,
  documentOf,
  notNull,
  nullable,
  once,
  onceEach,
  stringArray,
  type Value,
} from '../value.js'
import { extracted } from './array-extract.js'
import { range } from './range.js'
import type { FunctionRow } from './row.js'

/** The sort key of an element `item`. */
const ITEM_ORDER = orderTuple(itemValue(sql`item`))

export const ARRAY_SQL = {
  array_concat: (arrays) =>
    overArrays('dynamic', arrays, [], (items) => jsonArray(sql`arrayConcat(${list(items)})`)),
  array_extract: ([array, path]) => extracted(array!, path!),
  array_iff: ([conditions, then, otherwise]) => chosen(conditions!, then!, otherwise!),
  array_index_of: indexOf,
  array_length: ([array]) => {
    const { strings } = array!
    if (strings !== undefined) {
      return nullable('int', sql`if(${strings.isNull}, NULL, toInt64(length(${strings.elements})))`)
    }
    const length = (d: Sql) => sql`if(${isArray(d)}, toInt64(JSONLength(${d})), NULL)`
    return nullable('int', once(documentOf(array!), length))
  },
  array_reverse: ([array]) => rearranged(array!, [], (items) => sql`arrayReverse(${items})`),
  array_rotate_left: ([array, count]) => rotated('arrayRotateLeft', array!, count!),
  array_rotate_right: ([array, count]) => rotated('arrayRotateRight', array!, count!),
  array_select_dict: ([array, key, value]) => objectWith(array!, key!, value!),
  array_shift_left: ([array, count]) => shifted(array!, count ?? constant('int', 1n), sql`1`),
  array_shift_right: ([array, count]) => shifted(array!, count ?? constant('int', 1n), sql`-1`),
  array_slice: ([array, start, end]) =>
    rearranged(array!, [start!, end!], (items, [from, to]) =>
      onceEach([position(from!, items), position(to!, items)], ([a, b]) => slice(items, a!, b!)),
    ),
  array_sort_asc: ([array]) =>
    sorted(array!, (items) => sql`arraySort(item -> ${ITEM_ORDER}, ${items})`),
  array_sort_desc: ([array]) => sorted(array!, descending),
  array_split: ([array, index]) => split(array!, index!),
  array_sum: ([array]) => total(array!),
  isarray: ([value]) =>
    value!.type === 'dynamic'
      ? predicate(isArray(documentOf(value!)), [value!])
      : constant('bool', false),
  len: ([value]) => length(value!),
  pack_array: (values) => derived('dynamic', jsonArray(sql`[${list(values.map(element))}]`), []),
  range,
  strcat_array: ([array, delimiter]) => joinedTexts(array!, delimiter ?? constant('string', '')),
} satisfies Record<string, FunctionRow>

/** The engine's own function requires a constant delimiter. */
function joinedTexts(array: Value, delimiter: Value): Value {
  const { strings } = array
  if (typeof delimiter.constant === 'string') {
    const document = documentOf(array)
    const items = strings?.elements ?? sql`arrayMap(item -> ifNull(item, ''), ${texts(document)})`
    const isPresent = strings ? sql`NOT (${strings.isNull})` : isArray(document)
    const whole = sql`arrayStringConcat(${items}, ${delimiter.sql})`
    return nullable('string', sql`if(${isPresent}, ${whole}, NULL)`)
  }
  return overArrays('string', [array], [delimiter], ([items], [between]) => {
    const piece = sql`concat(if(i = 1, '', ${between!}), JSONExtractString(item))`
    return sql`arrayStringConcat(arrayMap((item, i) -> ${piece}, ${items!}, arrayEnumerate(${items!})))`
  })
}

function changed(
  array: Value,
  others: readonly Value[],
  body: (items: Sql, others: readonly Sql[]) => Sql,
): Value {
  return overArrays('dynamic', [array], others, ([items], more) => jsonArray(body(items!, more)))
}

/** As `changed`, for results that consist of elements of the array: an array of strings stays one. */
function rearranged(
  array: Value,
  others: readonly Value[],
  body: (items: Sql, others: readonly Sql[]) => Sql,
): Value {
  const { strings } = array
  if (strings === undefined) return changed(array, others, body)
  const absent = others.filter((other) => other.nullable).map(({ sql: n }) => sql`isNull(${n})`)
  return stringArray({
    elements: once(strings.elements, (items) => body(items, others.map(notNull))),
    isNull: joinedBy('OR', [strings.isNull, ...absent]),
  })
}

/** Converts an index from 0 to a position from 1; negative indexes count from the end. */
function position(index: Sql, items: Sql): Sql {
  const length = sql`toInt64(length(${items}))`
  return once(index, (i) => {
    const forward = sql`if(${i} > ${length}, ${length}, ${i})`
    const backward = sql`if(${i} < -${length}, 0, ${i} + ${length})`
    return sql`toInt64(if(${i} < 0, ${backward}, ${forward}))`
  })
}

function slice(items: Sql, from: Sql, to: Sql): Sql {
  return sql`arraySlice(${items}, ${from} + 1, greatest(${to} - ${from}, 0))`
}

function rotated(name: 'arrayRotateLeft' | 'arrayRotateRight', array: Value, count: Value): Value {
  return rearranged(
    array,
    [count],
    (items, [n]) => sql`${raw(name)}(${items}, ${n!} % greatest(toInt64(length(${items})), 1))`,
  )
}

/** Shifts elements to the left by `count` places; to the right when `sign` is -1. */
function shifted(array: Value, count: Value, sign: Sql): Value {
  return changed(array, [count], (items, [n]) => {
    const length = sql`toInt64(length(${items}))`
    const bounded = sql`multiIf(${n!} > ${length}, ${length}, ${n!} < -${length}, -${length}, ${n!})`
    return once(sql`toInt64(${bounded} * ${sign})`, (by) => {
      const left = sql`arrayResize(arraySlice(${items}, ${by} + 1), ${length}, 'null')`
      // A negative length pads at the start.
      const right = sql`arrayResize(arraySlice(${items}, 1, greatest(${length} + ${by}, 0)), -${length}, 'null')`
      return sql`if(${by} < 0, ${right}, ${left})`
    })
  })
}

/** A non-array has no elements to sort; null stays null. */
function sorted(array: Value, order: (items: Sql) => Sql): Value {
  return derived(
    'dynamic',
    once(documentOf(array), (d) => sql`if(isNull(${d}), NULL, ${jsonArray(order(elements(d)))})`),
    [array],
  )
}

function descending(items: Sql): Sql {
  // A null element stays last.
  return sql`arraySort(item -> item = 'null', arrayReverseSort(item -> ${ITEM_ORDER}, ${items}))`
}

function split(array: Value, index: Value): Value {
  const at = index.type === 'int' ? sql`[${element(index)}]` : positions(index)
  return overArrays('dynamic', [array], [index], ([items]) => {
    const length = sql`toInt64(length(${items!}))`
    const cut = sql`arraySort(arrayMap(i -> ${position(sql`i`, items!)}, ${whole(at)}))`
    return once(cut, (cuts) => {
      const piece = jsonArray(slice(items!, sql`a`, sql`b`))
      return jsonArray(
        sql`arrayMap((a, b) -> ${piece}, arrayConcat([toInt64(0)], ${cuts}), arrayConcat(${cuts}, [${length}]))`,
      )
    })
  })
}

/** Returns the JSON texts of one position, or of an array of positions. */
function positions({ sql: index }: Value): Sql {
  return once(index, (d) => sql`if(${isArray(d)}, ${elements(d)}, [assumeNotNull(${d})])`)
}

function whole(items: Sql): Sql {
  const number = convert(itemValue(sql`item`), 'int').sql
  return sql`arrayMap(n -> assumeNotNull(n), arrayFilter(n -> isNotNull(n), arrayMap(item -> ${number}, ${items})))`
}

function total(array: Value): Value {
  return nullable('dynamic', once(documentOf(array), totalOf))
}

function totalOf(document: Sql): Sql {
  const exact = overArrays('dynamic', [nullable('dynamic', document)], [], ([items]) =>
    bind(sql`arrayFilter(item -> isNotNull(toFloat64OrNull(item)), ${items!})`, (found) => {
      const wholes = sql`arraySum(item -> toInt128OrZero(item), ${found})`
      const reals = sql`arraySum(item -> toFloat64OrZero(item), ${found})`
      const isWhole = sql`arrayAll(item -> isNotNull(toInt128OrNull(item)), ${found})`
      // An integer sum outside 64 bits could not be represented.
      const whole = sql`toString(accurateCast(${wholes}, 'Int64'))`
      const rounded = sql`if(isFinite(${reals}), toString(${reals}), NULL)`
      return sql`multiIf(empty(${found}), NULL, ${isWhole}, ${whole}, ${rounded})`
    }),
  )
  // Below 53 bits, doubles have the sum of integers as well.
  const small = bind(numbers(document, sql`[]`), (all) => {
    const size = sql`arraySum(x -> ifNull(abs(x), 0.), ${all})`
    return sql`if(${size} > 0 AND ${size} < 9007199254740992, toString(arraySum(x -> ifNull(x, 0.), ${all})), NULL)`
  })
  return sql`if(isNotNull(${small}), ${small}, ${exact.sql})`
}

function length(value: Value): Value {
  if (value.type === 'string')
    return derived('int', sql`toInt64(lengthUTF8(${value.sql}))`, [value])
  const counted = (d: Sql) =>
    sql`multiIf(${isArray(d)}, toInt64(JSONLength(${d})), startsWith(${d}, '"'), toInt64(lengthUTF8(JSONExtractString(${d}))), NULL)`
  return nullable('int', once(documentOf(value), counted))
}

/** `array_index_of(array, value, start, length, occurrence)`; a negative length means no limit. */
function indexOf([array, value, start, limit, occurrence]: readonly Value[]): Value {
  if (!start && isText(value!)) {
    const document = documentOf(array!)
    const found = sql`toInt64(indexOf(${texts(document)}, ${value!.sql})) - 1`
    return nullable('int', sql`if(${isArray(document)}, ${found}, NULL)`)
  }
  const isSame = equal(itemValue(sql`item`), value!).sql
  if (!start)
    return overArrays('int', [array!], [], ([items]) => {
      return sql`(toInt64(arrayFirstIndex(item -> ${isSame}, ${items!})) - 1)`
    })
  const others = [start, limit ?? constant('int', -1n), occurrence ?? constant('int', 1n)]
  return overArrays('int', [array!], others, ([items], [from, most, nth]) =>
    onceEach([position(from!, items!)], ([first]) => {
      const isIn = sql`i > ${first!} AND (${most!} < 0 OR i - ${first!} <= ${most!})`
      const found = sql`arrayFilter((i, item) -> ${isIn} AND ${isSame}, arrayEnumerate(${items!}), ${items!})`
      const at = (hits: Sql) => sql`arrayElement(${hits}, toUInt32(${nth!}))`
      return once(
        found,
        (hits) =>
          sql`if(${nth!} >= 1 AND ${nth!} <= length(${hits}), toInt64(${at(hits)}) - 1, -1)`,
      )
    }),
  )
}

function objectWith(array: Value, key: Value, value: Value): Value {
  return overArrays('dynamic', [array], [key], ([items], [name]) => {
    const member = typedPart({ document: sql`item`, path: [name!] }, 'dynamic')
    const isSame = equal(member, value).sql
    const fits = sql`startsWith(item, '{') AND ${isSame} AND JSONHas(item, ${name!})`
    // An index beyond the end of an array yields null, since its elements are nullable.
    return sql`arrayElement(arrayMap(item -> toNullable(item), arrayFilter(item -> ${fits}, ${items!})), 1)`
  })
}

function chosen(conditions: Value, then: Value, otherwise: Value): Value {
  return changed(conditions, [], (items) => {
    const isTrue = sql`(test = 'true' OR ifNull(toFloat64OrNull(test) != 0, false))`
    const choices = sql`${spread(then, items)}, ${spread(otherwise, items)}`
    return sql`arrayMap((test, a, b) -> if(${isTrue}, a, b), ${items}, ${choices})`
  })
}

/** Returns as many elements as `items` has: the elements of an array, cut or padded with nulls, or a scalar repeated. */
function spread(value: Value, items: Sql): Sql {
  const length = sql`length(${items})`
  if (value.type !== 'dynamic') return sql`arrayWithConstant(${length}, ${element(value)})`
  const own = sql`arrayResize(${elements(value.sql)}, ${length}, 'null')`
  const same = sql`arrayWithConstant(${length}, ${element(value)})`
  return sql`if(${isArray(sql`ifNull(${value.sql}, '')`)}, ${own}, ${same})`
}
