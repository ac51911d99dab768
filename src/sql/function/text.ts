import type { TEXT_FUNCTIONS } from '../../apl/function/text.js'
import type { Type } from '../../apl/type.js'
import { isNull, negated } from '../compare.js'
import { convert, json, shown } from '../convert.js'
import { list, type Sql, sql } from '../sql.js'
import { derived, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'
import { indexOf, replaceRegex, split, substring, trim } from './text-parts.js'

/** Functions on text, in SQL. */
export const TEXT_SQL: Readonly<Record<keyof typeof TEXT_FUNCTIONS, FunctionRow>> = {
  coalesce: (values, { type }) => firstOf(values, type),
  extract: ([regex, group, source]) => {
    const found = sql`regexpExtract(${source!.sql}, ${regex!.sql}, ${group!.sql})`
    return nullable('string', sql`if(match(${source!.sql}, ${regex!.sql}), ${found}, NULL)`)
  },
  indexof: (values) => indexOf(values),
  isempty: ([value]) => isEmpty(value!),
  isnotempty: ([value]) => negated(isEmpty(value!)),
  isnull: ([value]) => isNull(value!),
  isnotnull: ([value]) => negated(isNull(value!)),
  parse_json: ([source]) => nullable('dynamic', once(source!.sql, parsed)),
  replace_regex: ([regex, rewrite, source]) => replaceRegex(regex!, rewrite!, source!),
  replace_string: (values) => {
    const [lookup, rewrite, source] = values.map((value) => value.sql)
    return derived('string', sql`replaceAll(${source!}, ${lookup!}, ${rewrite!})`, values)
  },
  split: ([source, delimiter]) => split(source!, delimiter!),
  strcat: (values) => {
    const texts = values.map((value) => shown(value).sql)
    return { sql: sql`concat(${list(texts)})`, type: 'string', nullable: false }
  },
  strlen: ([source]) => derived('int', sql`toInt64(lengthUTF8(${source!.sql}))`, [source!]),
  substring: (values) => substring(values),
  tolower: ([source]) => derived('string', sql`lowerUTF8(${source!.sql})`, [source!]),
  toupper: ([source]) => derived('string', sql`upperUTF8(${source!.sql})`, [source!]),
  trim: ([cutset, source]) => trim(cutset!, source!),
}

function firstOf(values: readonly Value[], type: Type): Value {
  const candidates = values.map((value) => {
    const converted = convert(value, type).sql
    return type === 'string' ? sql`nullIf(${converted}, '')` : converted
  })
  return nullable(type, sql`coalesce(${list(candidates)})`)
}

function isEmpty(value: Value): Value {
  if (value.type !== 'string' && value.type !== 'dynamic') return isNull(value)
  const empty = value.type === 'string' ? sql`''` : sql`'""'`
  return {
    sql: sql`ifNull(${value.sql} = ${empty}, true)`,
    type: 'bool',
    nullable: false,
  }
}

/** A JSON text in the one form that dynamic values have; what is no JSON is a string. */
function parsed(source: Sql): Sql {
  const value = sql`nullIf(JSONExtractRaw(${source}), 'null')`
  return sql`if(isValidJSON(${source}), ${value}, ${json(source)})`
}
