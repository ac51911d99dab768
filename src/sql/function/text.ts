import type { Type } from '../../apl/type.js'
import { list, sql } from '../sql.js'
import { convert, shown } from '../type/convert.js'
import { derived, nullable, type Value } from '../value.js'
import { present } from './present.js'
import type { FunctionRow } from './row.js'
import { substring } from './text-parts.js'

export const TEXT_SQL = {
  coalesce: (values, { type }) => firstOf(values, type),
  reverse: ([source]) => derived('string', sql`reverseUTF8(${source!.sql})`, [source!]),
  strcat: (values) => {
    const texts = values.map((value) => shown(value).sql)
    return { sql: sql`concat(${list(texts)})`, type: 'string', nullable: false }
  },
  strcat_delim: (values) => {
    const [delimiter, ...texts] = values.map((value) => shown(value).sql)
    const pieces = texts.flatMap((text, i) => (i === 0 ? [text] : [delimiter!, text]))
    return { sql: sql`concat(${list(pieces)}, '')`, type: 'string', nullable: false }
  },
  strcmp: (values) =>
    present('int', values, (a, b) => sql`toInt64(multiIf(${a!} < ${b!}, -1, ${a!} = ${b!}, 0, 1))`),
  string_size: ([source]) => derived('int', sql`toInt64(length(${source!.sql}))`, [source!]),
  strlen: ([source]) => derived('int', sql`toInt64(lengthUTF8(${source!.sql}))`, [source!]),
  strrep: ([value, ...rest]) => repeated([convert(value!, 'string'), ...rest]),
  substring,
  tolower: ([source]) => derived('string', sql`lowerUTF8(${source!.sql})`, [source!]),
  totitle: ([source]) => {
    const [first, others] = [
      sql`substringUTF8(${source!.sql}, 1, 1)`,
      sql`substringUTF8(${source!.sql}, 2)`,
    ]
    return derived('string', sql`concat(upperUTF8(${first}), ${others})`, [source!])
  },
  toupper: ([source]) => derived('string', sql`upperUTF8(${source!.sql})`, [source!]),
} satisfies Record<string, FunctionRow>

const MAX_TIMES = 1024

function repeated(values: readonly Value[]): Value {
  return present('string', values, (value, times, delimiter = sql`''`) => {
    const copies = sql`repeat(concat(${delimiter}, ${value!}), least(${times!}, ${MAX_TIMES}))`
    return sql`substring(${copies}, length(${delimiter}) + 1)`
  })
}

/** Returns the first value that is neither null nor the empty string. */
function firstOf(values: readonly Value[], type: Type): Value {
  const candidates = values.map((value) => {
    const converted = convert(value, type).sql
    if (type === 'string') return sql`nullIf(${converted}, '')`
    return type === 'dynamic' ? sql`nullIf(${converted}, '""')` : converted
  })
  return nullable(type, sql`coalesce(${list(candidates)})`)
}
