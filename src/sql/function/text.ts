import type { Type } from '../../apl/type.js'
import { list, sql } from '../sql.js'
import { convert, shown } from '../type/convert.js'
import { nullable, type Value } from '../value.js'
import { present } from './present.js'
import { type FunctionRow, plain } from './row.js'
import { substring } from './text-parts.js'

export const TEXT_SQL = {
  coalesce: (values, { type }) => firstOf(values, type),
  reverse: plain('string', (s) => sql`reverseUTF8(${s})`),
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
  string_size: plain('int', (s) => sql`toInt64(length(${s}))`),
  strlen: plain('int', (s) => sql`toInt64(lengthUTF8(${s}))`),
  strrep: ([value, ...rest]) => repeated([convert(value!, 'string'), ...rest]),
  substring,
  tolower: plain('string', (s) => sql`lowerUTF8(${s})`),
  totitle: plain(
    'string',
    (s) => sql`concat(upperUTF8(substringUTF8(${s}, 1, 1)), substringUTF8(${s}, 2))`,
  ),
  toupper: plain('string', (s) => sql`upperUTF8(${s})`),
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
