import { list, type Sql, sql, text } from '../sql.js'
import { asText } from '../type/convert.js'
import { objectOfTexts } from '../type/json-array.js'
import { constant, once, type Value } from '../value.js'
import { present, presentOrNull } from './present.js'
import type { FunctionRow } from './row.js'

const COLON = constant('string', ':')

export const PAIR_SQL = {
  find_pair: ([array, key, value, separator = COLON]) =>
    presentOrNull('dynamic', [array!, key!, value!, separator], findPair),
  pair: ([key, value, separator = COLON]) =>
    present('dynamic', [textOf(key!), textOf(value!), separator], pairOf),
  parse_pair: ([source, separator = COLON]) =>
    present('dynamic', [source!, separator], (s, sign) => parsedPair(s!, sign!)),
} satisfies Record<string, FunctionRow>

function textOf(value: Value): Value {
  return { sql: asText(value), type: 'string', nullable: value.nullable }
}

function pairOf(key?: Sql, value?: Sql, separator?: Sql): Sql {
  return objectOfTexts({ key: key!, separator: separator!, value: value! })
}

function parsedPair(source: Sql, separator: Sql): Sql {
  return once(source, (s) => pairOf(keyIn(s, separator), valueIn(s, separator), separator))
}

function hasKey(pair: Sql, separator: Sql): Sql {
  return sql`(${separator} != '' AND position(${pair}, ${separator}) > 0)`
}

function keyIn(pair: Sql, separator: Sql): Sql {
  const before = sql`substring(${pair}, 1, position(${pair}, ${separator}) - 1)`
  return sql`if(${hasKey(pair, separator)}, ${before}, '')`
}

function valueIn(pair: Sql, separator: Sql): Sql {
  const rest = sql`substring(${pair}, position(${pair}, ${separator}) + length(${separator}))`
  return sql`if(${hasKey(pair, separator)}, ${rest}, ${pair})`
}

function findPair(array?: Sql, key?: Sql, value?: Sql, separator?: Sql): Sql {
  const raws = sql`arrayFilter(item -> startsWith(item, '"'), JSONExtractArrayRaw(${array!}))`
  const pairs = sql`arrayMap(item -> JSONExtractString(item), ${raws})`
  const isKey = sql`match(${keyIn(sql`pair`, separator!)}, ${wildcards(key!)})`
  const isValue = sql`match(${valueIn(sql`pair`, separator!)}, ${wildcards(value!)})`
  const fitting = sql`arrayFilter(pair -> ${isKey} AND ${isValue}, ${pairs})`
  const first = sql`arrayMap(pair -> toNullable(${parsedPair(sql`pair`, separator!)}), ${fitting})`
  // An index beyond the end of an array yields null, since its elements are nullable.
  return sql`arrayElement(${first}, 1)`
}

/** Converts a pattern in which `*` matches any string to a regex. */
function wildcards(pattern: Sql): Sql {
  const quoted = sql`replaceAll(regexpQuoteMeta(${pattern}), ${text('\\*')}, '.*')`
  return sql`concat(${list([text('(?s)^'), quoted, text('$')])})`
}
